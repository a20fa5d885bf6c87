//! Both ends at full speed on real threads, with a third one that reads the counts.
