//! Unpacking of a file that may be compressed. Gzip and Zstandard are known by their first bytes, whatever the file is
//! called; anything else is taken as it is.

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::fmt::{self, Display};
use std::io::Read;

/// No file may unpack to more than this, in bytes (1 GiB): a few kilobytes can hold more than any memory, and the
/// largest books have some hundred megabytes.
pub const MOST_UNPACKED: usize = 1 << 30;

/// Endings of names that say no more than that a file is compressed.
pub const PACKED_ENDINGS: [&str; 3] = ["gz", "zst", "zstd"];

/// Unpacked at a time, so that the limit is soon noticed.
const STEP: usize = 1 << 20;

/// Why a compressed file cannot be unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadArchive {
    /// It is cut off, or not what was packed.
    Damaged {
        /// Its format.
        format: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// There is more in it than this many bytes.
    TooLarge(usize),
}

impl BadArchive {
    fn gzip(reason: impl Display) -> BadArchive {
        BadArchive::Damaged { format: "gzip", reason: reason.to_string() }
    }

    fn zstd(reason: impl Display) -> BadArchive {
        BadArchive::Damaged { format: "zstd", reason: reason.to_string() }
    }
}

impl Display for BadArchive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadArchive::Damaged { format, reason } => {
                write!(f, "cannot be unpacked ({format}: {reason}); compress or fetch it again")
            }
            BadArchive::TooLarge(most) => {
                write!(f, "unpacks to more than {} MiB; give a part of it", most >> 20)
            }
        }
    }
}

/// The bytes that were packed; the same bytes if none were. A file of several archives one after the other holds all
/// that is in them, as with `gzip` and `zstd` themselves.
///
/// # Errors
/// An archive is damaged, or there are more than `most` bytes in them.
pub fn unpacked(bytes: Vec<u8>, most: usize) -> Result<Vec<u8>, BadArchive> {
    match bytes[..] {
        [0x1f, 0x8b, ..] => gunzip(&bytes, most),
        // A frame of data, or one of those that are to be skipped, with which parallel compressors begin.
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => unzstd(&bytes, most),
        _ => Ok(bytes),
    }
}

fn gunzip(packed: &[u8], most: usize) -> Result<Vec<u8>, BadArchive> {
    let mut unpacked = Vec::new();
    // One byte more than is allowed tells that there is too much.
    let limit = most as u64 + 1;
    MultiGzDecoder::new(packed).take(limit).read_to_end(&mut unpacked).map_err(BadArchive::gzip)?;
    within(most, unpacked.len())?;
    Ok(unpacked)
}

fn unzstd(mut packed: &[u8], most: usize) -> Result<Vec<u8>, BadArchive> {
    let mut unpacked = Vec::new();
    let mut frame = FrameDecoder::new();
    while !packed.is_empty() {
        match frame.init(&mut packed) {
            Ok(()) => {}
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                packed = packed.get(length as usize..).ok_or_else(|| BadArchive::zstd("it is cut off"))?;
                continue;
            }
            Err(error) => return Err(BadArchive::zstd(error)),
        }
        while !frame.is_finished() {
            let step = BlockDecodingStrategy::UptoBytes(STEP);
            frame.decode_blocks(&mut packed, step).map_err(BadArchive::zstd)?;
            frame.collect_to_writer(&mut unpacked).map_err(BadArchive::zstd)?;
            within(most, unpacked.len())?;
        }
        let stored = frame.get_checksum_from_data();
        if stored.is_some() && stored != frame.get_calculated_checksum() {
            return Err(BadArchive::zstd("the checksum is another"));
        }
    }
    Ok(unpacked)
}

fn within(most: usize, length: usize) -> Result<(), BadArchive> {
    if length > most { Err(BadArchive::TooLarge(most)) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use proptest::prelude::*;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use std::io::Write;

    const MOST: usize = 1 << 20;

    fn gzip(content: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(content: &[u8]) -> Vec<u8> {
        compress_to_vec(content, CompressionLevel::Fastest)
    }

    /// What `gzip` 1.12 and `zstd` 1.5.4 make of `hello` and a line break.
    #[test]
    fn what_the_usual_programs_pack_is_unpacked() {
        let gzipped = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xcbH\xcd\xc9\xc9\xe7\x02\0\x20\x30\x3a\x36\x06\0\0\0";
        let zstandard = b"\x28\xb5\x2f\xfd\x04\x58\x31\0\0hello\n\x53\x88\xbd\x91";
        for packed in [gzipped.as_slice(), zstandard] {
            assert_eq!(unpacked(packed.to_vec(), MOST).unwrap(), b"hello\n");
        }
    }

    #[test]
    fn archives_in_a_row_are_one_text_and_other_bytes_are_left_alone() {
        let skipped = b"\x5a\x2a\x4d\x18\x03\x00\x00\x00abc".to_vec();
        for (packed, expected) in [
            ([gzip(b"one\n"), gzip(b"two\n")].concat(), b"one\ntwo\n".as_slice()),
            ([skipped.clone(), zstd(b"one\n"), skipped, zstd(b"two\n")].concat(), b"one\ntwo\n"),
            (b"plain".to_vec(), b"plain"),
            (b"\x1f".to_vec(), b"\x1f"),
            (Vec::new(), b""),
        ] {
            assert_eq!(unpacked(packed, MOST).unwrap(), expected);
        }
    }

    #[test]
    fn what_unpacks_to_too_much_is_refused_with_the_limit() {
        let bomb = vec![b' '; 3 * MOST];
        for packed in [gzip(&bomb), zstd(&bomb), [zstd(&bomb[..MOST]), zstd(b"x")].concat()] {
            assert!(packed.len() < MOST / 50, "it is small: {}", packed.len());
            let error = unpacked(packed, MOST).unwrap_err();
            assert_eq!(error, BadArchive::TooLarge(MOST));
            assert_eq!(error.to_string(), "unpacks to more than 1 MiB; give a part of it");
        }
        for packed in [gzip(&bomb[..MOST]), zstd(&bomb[..MOST])] {
            assert_eq!(unpacked(packed, MOST).unwrap().len(), MOST);
        }
    }

    proptest! {
        #[test]
        fn a_cut_or_changed_archive_is_never_taken_for_another_text(
            content in prop::collection::vec(prop::sample::select(b"abc \n".to_vec()), 1..400),
            place in any::<prop::sample::Index>(),
            change in 1..=255_u8,
        ) {
            for (packed, least) in [(gzip(&content), 2), (zstd(&content), 4)] {
                let end = place.index(packed.len());
                if end >= least {
                    prop_assert!(unpacked(packed[..end].to_vec(), MOST).is_err(), "cut to {end} bytes");
                }
                let mut changed = packed.clone();
                changed[end] ^= change;
                // Parts of the header, such as the time of packing, are not part of the content.
                if end >= least && let Ok(unpacked) = unpacked(changed, MOST) {
                    prop_assert_eq!(unpacked, content.clone());
                }
            }
        }
    }
}
