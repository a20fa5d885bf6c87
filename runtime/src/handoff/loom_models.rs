//! Every interleaving of small runs, by model checking.
