//! The functions that the host calls.

use super::host::Host;
use crate::requests::answer;
use crate::session::Session;
use std::cell::RefCell;
use std::sync::atomic::AtomicBool;

/// Set by the host to stop what is running.
pub static STOP: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// The one of the thread that the host calls.
    static SESSION: RefCell<Session> = RefCell::default();
}

/// The address of the byte that stops what is running when it is set to 1.
#[unsafe(no_mangle)]
pub extern "C" fn stop_flag() -> *const AtomicBool {
    &raw const STOP
}

/// Reserves room for a request of this many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(bytes: usize) -> *mut u8 {
    Box::into_raw(vec![0; bytes].into_boxed_slice()).cast()
}

/// Frees an answer of [`call`], with its four bytes of length.
///
/// # Safety
/// It must have been returned by [`call`] or [`reserve`] with this many bytes, and not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(bytes: *mut u8, length: usize) {
    // SAFETY: by the contract of this function; `call` and `reserve` return boxed slices.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(bytes, length)) });
}

/// Does what a request asks for, and frees it. Returns the length of the answer, in four bytes, and the answer.
///
/// # Safety
/// The request must be in room of this many bytes that [`reserve`] has reserved.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn call(request: *mut u8, length: usize) -> *mut u8 {
    // SAFETY: by the contract of this function; `reserve` returns boxed slices.
    let request = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(request, length)) };
    let json = SESSION.with_borrow_mut(|session| answer(session, &request, &Host)).to_string();
    let mut bytes = (json.len() as u32).to_le_bytes().to_vec();
    bytes.extend(json.into_bytes());
    Box::into_raw(bytes.into_boxed_slice()).cast()
}
