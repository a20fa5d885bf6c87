//! The program `framewalk`: a command line, behind which lies the editor.

use std::process::ExitCode;

fn main() -> ExitCode {
    framewalk::cli::main()
}
