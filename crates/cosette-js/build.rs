//! Options of the linker: for the addon of Node, and for WebAssembly the start of the module and
//! the memory it may have.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name| std::env::var(name).unwrap_or_default();
    if variable("CARGO_CFG_TARGET_OS") != "wasi" {
        napi_build::setup();
        return;
    }
    // Rust links libraries without what prepares the C library, and threads need that: it is with
    // the standard library.
    let output = Command::new(variable("RUSTC"))
        .args(["--print", "target-libdir", "--target", &variable("TARGET")])
        .output();
    let folder = String::from_utf8(output.expect("rustc runs").stdout).expect("a path in UTF-8");
    let start = Path::new(folder.trim()).join("self-contained/crt1-reactor.o");
    println!("cargo::rustc-link-arg-cdylib={}", start.display());
    println!("cargo::rustc-link-arg-cdylib=--export=_initialize");
    // 32 MB at first, as npm/module.js knows; at most the 4 GB that 32 bits can address.
    println!("cargo::rustc-link-arg-cdylib=--initial-memory=33554432");
    println!("cargo::rustc-link-arg-cdylib=--max-memory=4294967296");
}
