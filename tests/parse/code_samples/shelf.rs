//! A crate about shelves.
#![allow(dead_code)]

use std::{fmt, ops::Add};

/// How many books fit.
#[doc(hidden)]
pub const LIMIT: usize = 40;
static mut COUNT: u32 = 0;
pub type Result<T> = std::result::Result<T, Error>;

/// 책 한 권.
///
/// Two paragraphs.
#[derive(Debug, Clone)]
pub struct Book<'a, T: Add> {
    /// The title.
    pub title: &'a str,
    pages: T,
}

pub struct Unit;
union Bits { a: u32, b: f32 }

pub enum Error {
    /// Not there.
    Missing,
    Io(std::io::Error),
}

// a note apart from what follows

impl<'a, T> Book<'a, T>
where
    T: Add,
{
    pub const EMPTY: usize = 0;

    /// Opens it.
    #[must_use]
    pub async fn open(&self) -> Option<&T> {
        fn local() {}
        macro_rules! inner { () => {}; }
        Some(&self.pages)
    }

    fn 펼치기(&self) {}
}

impl<T> fmt::Display for Book<'_, T> {
    type Out = T;
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { write!(f, "x") }
}

impl<T> Add for &mut [T] { fn add(self) {} }

pub trait Shelf: Sized {
    const WIDTH: usize;
    type Item;
    /// A signature only.
    fn find(&self, key: &str) -> Option<Self::Item>;
    fn close(self) {}
}

#[macro_export]
macro_rules! shelf {
    ($x:expr) => { $x };
}

pub mod inner {
    //! Inside.
    pub mod deeper {
        pub fn bottom() {}
    }
    pub(crate) fn top() {}
}

extern "C" {
    fn strlen(s: *const u8) -> usize;
}

lazy_static! { static ref X: u8 = 1; }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_opens() {
        assert!(true);
    }
}

mod elsewhere;
