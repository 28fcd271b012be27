//! Archives of NumPy arrays: zip files that store the arrays without compression.

use super::columns::{Column, ValueType};
use super::description::DatasetRow;
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufWriter, Write};

/// Writes the rows; `about` is their provenance.
pub(super) fn write_npz(
    columns: &[Column<'_>],
    rows: &[DatasetRow],
    about: &Value,
    out: File,
) -> io::Result<()> {
    let mut npz = Npz::new(out);
    for column in columns {
        let (kind, size) = match column.kind {
            ValueType::UInt8 => ("|u1", 1),
            ValueType::Bool => ("|b1", 1),
            ValueType::Int32 => ("<i4", 4),
            // `Int8`: there are no columns of `Int64` or `Text` in this format.
            _ => ("|i1", 1),
        };
        let bytes = |number: i64| number.to_le_bytes().into_iter().take(size);
        let numbers = rows.iter().flat_map(|row| (column.value)(row).numbers());
        let shape = [&[rows.len()], &column.shape[..]].concat();
        npz.add(column.name, kind, &shape, numbers.flat_map(bytes).collect())?;
    }
    let text = about.to_string().into_bytes();
    npz.add("about", &format!("|S{}", text.len()), &[], text)?;
    npz.finish()
}

/// An archive of NumPy arrays. All its records are in the format zip64, whose sizes have 64 bits.
struct Npz {
    out: BufWriter<File>,
    /// The position in the file, in bytes.
    size: u64,
    /// Number of arrays.
    count: u64,
    /// The central directory, with a record for each array.
    directory: Vec<u8>,
}

impl Npz {
    fn new(out: File) -> Npz {
        Npz {
            out: BufWriter::new(out),
            size: 0,
            count: 0,
            directory: Vec::new(),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.size += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    /// Adds an array of this type and shape in NumPy's format 1.0: magic, version, the length of
    /// the header, the header, and the bytes of the array. The header is padded so that these bytes
    /// begin at a multiple of 64.
    fn add(&mut self, name: &str, kind: &str, shape: &[usize], bytes: Vec<u8>) -> io::Result<()> {
        let shape: String = shape.iter().map(|length| format!("{length},")).collect();
        let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
        // Magic, version and length are 10 bytes, and the header ends with a line feed.
        let padded = (10 + header.len() + 1).next_multiple_of(64) - 11;
        let mut start = b"\x93NUMPY\x01\x00".to_vec();
        start.extend((padded as u16 + 1).to_le_bytes());
        writeln!(start, "{header:padded$}")?;

        let mut checksum = crc32fast::Hasher::new();
        checksum.update(&start);
        checksum.update(&bytes);
        let checksum = checksum.finalize().to_le_bytes();
        let name = format!("{name}.npy");
        let size = ((start.len() + bytes.len()) as u64).to_le_bytes();
        let sizes = [size, size].concat();
        let offset = self.size.to_le_bytes();
        // Version 4.5 (zip64), no flags, stored without compression, 0:00 on 1 January 1980.
        let version_and_date = [45, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
        let entry = [
            &version_and_date[..],
            &checksum,
            // Both sizes are in the zip64 field after the name.
            &[0xFF; 8],
            &[name.len() as u8, 0],
        ]
        .concat();
        let local = [
            b"PK\x03\x04",
            &entry[..],
            &[20, 0],
            name.as_bytes(),
            // The zip64 field, with 16 bytes.
            &[1, 0, 16, 0],
            &sizes,
        ];
        self.write(&local.concat())?;
        self.write(&start)?;
        self.write(&bytes)?;
        let central = [
            b"PK\x01\x02\x2d\0",
            &entry[..],
            &[28, 0],
            // No comment, disk 0, no attributes.
            &[0; 10],
            // The offset is in the zip64 field, too.
            &[0xFF; 4],
            name.as_bytes(),
            &[1, 0, 24, 0],
            &sizes,
            &offset,
        ];
        self.directory.extend(central.concat());
        self.count += 1;
        Ok(())
    }

    /// Writes the central directory.
    fn finish(mut self) -> io::Result<()> {
        let directory = std::mem::take(&mut self.directory);
        let start = self.size;
        self.write(&directory)?;
        let count = self.count.to_le_bytes();
        let end = [
            // The zip64 end of the central directory: 44 more bytes, versions 4.5, disk 0.
            b"PK\x06\x06\x2c\0\0\0\0\0\0\0\x2d\0\x2d\0",
            &[0; 8][..],
            &count,
            &count,
            &(directory.len() as u64).to_le_bytes(),
            &start.to_le_bytes(),
            // The zip64 locator: the offset of that record, and one disk.
            b"PK\x06\x07\0\0\0\0",
            &self.size.to_le_bytes(),
            &[1, 0, 0, 0],
            // The end of the central directory, whose values are in the zip64 record.
            b"PK\x05\x06\0\0\0\0",
            &[0xFF; 12],
            &[0; 2],
        ];
        self.write(&end.concat())?;
        self.out.flush()
    }
}
