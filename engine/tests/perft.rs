//! Perft: the move generator against published counts.

use engine::position::{Position, perft};

fn check(fen: &str, depth: u32, lines: u64) {
    let position = Position::from_fen(fen).expect(fen);
    assert_eq!(perft(&position, depth), lines, "{fen} at depth {depth}");
}

/// The six positions of the chess programming wiki's page "Perft Results".
#[test]
fn normal_chess() {
    check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609);
    check("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603);
    check("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083);
    check("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333);
    check("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2_103_487);
    check("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3_894_594);
}

/// Counts on which cozy-chess and shakmaty agree; the first four are from a published Chess960 suite.
#[test]
fn chess960() {
    check("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 4, 326_672);
    check("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", 4, 667_366);
    check("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", 4, 273_318);
    check("qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", 4, 382_958);
    // Castling is about all there is: into and out of checks, with shielding and pinned rooks.
    check("r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1", 4, 285_754);
    check("8/8/8/4B2b/6nN/8/5P2/2R1K2k w Q - 0 1", 5, 3_223_406);
    check("2r5/8/8/8/8/8/6PP/k2KR3 w K - 0 1", 6, 14_751_778);
    check("4r3/3k4/8/8/8/8/6PP/qR1K1R2 w KQ - 0 1", 5, 8_992_652);
    check("1rkr4/p2p4/8/8/8/8/P2P4/qRKR4 w BDbd - 0 1", 5, 2_235_379);
    check("r1k4r/8/8/3pP3/8/8/8/1R3K1R w BHah d6 0 1", 4, 328_394);
}

/// Different set-ups for the two sides.
#[test]
fn double_chess960() {
    check("rbqknnbr/pppppppp/8/8/8/8/PPPPPPPP/QBBNRNKR w HEha - 0 1", 4, 201_987);
    check("rbbkqrnn/pppppppp/8/8/8/8/PPPPPPPP/NBNQRKBR w HEfa - 0 1", 4, 164_449);
    check("rkr5/pppp4/8/8/8/8/4PPPP/5RKR w FHac - 0 1", 4, 56_364);
}
