//! Where what a run left goes, once it is over.

use super::super::CliError;
use super::super::args::Output;
use super::super::files::write_output;
use super::pictures::Pictures;
use super::report::Report;
use super::{csv, summary};
use crate::outcome::{Identity, Outcome};

/// What was asked for, and where it goes.
#[derive(Clone, Copy, Debug)]
pub struct Outputs<'a> {
    pub csv: Option<&'a Output>,
    pub report: Option<&'a Output>,
    pub screenshot: Option<&'a Output>,
}

impl Outputs<'_> {
    /// Writes all of it; the first that fails does not keep the others from being written. Answers a line for each that
    /// failed. A summary goes to stdout where no report is asked for and no data goes there.
    #[must_use]
    pub fn write(
        self,
        identity: &Identity,
        outcome: &Outcome,
        report: &Report,
        pictures: Option<&mut Pictures>,
    ) -> Vec<String> {
        let mut failed = Vec::new();
        let mut keep = |result: Result<(), CliError>| {
            if let Err(CliError::Fault(lines)) = result {
                failed.extend(lines);
            }
        };
        if let Some(output) = self.csv {
            keep(write_output(output, "the CSV", csv::table(outcome, &identity.probes).as_bytes()));
        }
        if let Some(output) = self.report {
            keep(write_output(output, "the report", report.to_json().as_bytes()));
        }
        if let Some(output) = self.screenshot {
            keep(write_screenshot(output, pictures));
        }
        let mut all = [self.csv, self.report, self.screenshot].into_iter().flatten();
        if self.report.is_none() && !all.any(|output| *output == Output::Stdout) {
            keep(write_output(&Output::Stdout, "the summary", summary::summary(report).as_bytes()));
        }
        failed
    }
}

fn write_screenshot(output: &Output, pictures: Option<&mut Pictures>) -> Result<(), CliError> {
    let Some(pictures) = pictures else {
        return Err(CliError::fault("error: no screenshot: there was no adapter to draw with"));
    };
    let png = pictures
        .last_png()
        .map_err(|reason| CliError::fault(format!("error: the screenshot could not be made: {reason}")))?;
    write_output(output, "the screenshot", &png)
}

/// How a run ended, and what of it could not be written: neither hides the other.
///
/// # Errors
/// It did not end well, or something could not be written.
pub fn end(ended: Result<(), CliError>, failed: Vec<String>) -> Result<(), CliError> {
    match ended {
        Err(CliError::Fault(mut lines)) => {
            lines.extend(failed);
            Err(CliError::Fault(lines))
        }
        _ if !failed.is_empty() => Err(CliError::Fault(failed)),
        ended => ended,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_that_cannot_be_written_does_not_hide_that_the_run_failed() {
        let failed = || vec!["no disk".to_owned()];
        let lines = |result: Result<(), CliError>| match result {
            Err(CliError::Fault(lines)) => lines,
            other => panic!("{other:?}"),
        };
        let both = end(Err(CliError::fault("the run failed")), failed());
        assert_eq!(lines(both), ["the run failed", "no disk"]);
        assert_eq!(lines(end(Ok(()), failed())), ["no disk"]);
        assert_eq!(lines(end(Err(CliError::Interrupted), failed())), ["no disk"]);
        assert!(matches!(end(Err(CliError::Interrupted), vec![]), Err(CliError::Interrupted)));
        assert!(end(Ok(()), vec![]).is_ok());
    }
}
