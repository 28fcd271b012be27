//! Kinds of pages of memory.

/// The kind of pages that memory is requested in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pages {
    /// Huge pages, if the system grants them.
    Huge,
    /// Pages of the usual size, if the system lets the program choose.
    Ordinary,
}

impl Pages {
    /// Both.
    pub const ALL: [Pages; 2] = [Pages::Huge, Pages::Ordinary];

    /// Their name: `huge` or `ordinary`.
    pub const fn name(self) -> &'static str {
        match self {
            Pages::Huge => "huge",
            Pages::Ordinary => "ordinary",
        }
    }
}
