//! Move text cut into tokens: numbers, and single characters. Blanks and comments are dropped.

use crate::cube::error::ReadError;
use crate::cube::fault::moves::MoveFault;
use crate::cube::text::{Cursor, Token, is_blank};

pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, ReadError> {
    let mut cursor = Cursor::new(text);
    let mut tokens = Vec::new();
    loop {
        skip_blanks_and_comments(text, &mut cursor)?;
        let number = cursor.take_run(|c| c.is_ascii_digit());
        match number.or_else(|| cursor.take_symbol()) {
            Some(token) => tokens.push(token),
            None => return Ok(tokens),
        }
    }
}

fn skip_blanks_and_comments(text: &str, cursor: &mut Cursor) -> Result<(), ReadError> {
    loop {
        cursor.skip(is_blank);
        if cursor.rest().starts_with("//") {
            cursor.skip(|c| c != '\n');
        } else if cursor.rest().starts_with("/*") {
            let open = cursor.take(2);
            let Some(inside) = cursor.rest().find("*/") else {
                return Err(ReadError::at(text, open.span(), MoveFault::UnclosedComment));
            };
            cursor.take(inside + 2);
        } else {
            return Ok(());
        }
    }
}

/// Whether `c` is the inverse mark, in any of the shapes that keyboards and word processors give it.
pub(in crate::cube) fn is_inverse_mark(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | '′' | '`' | '´' | 'ʹ' | 'ʼ' | '＇')
}

/// Whether the text holds nothing but blanks and comments.
pub(in crate::cube) fn is_empty(text: &str) -> bool {
    tokens(text).is_ok_and(|tokens| tokens.is_empty())
}
