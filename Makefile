# The entry point of OpenBench: `make EXE=name` leaves the engine as ./name.
EXE ?= engine-native

all:
	cargo rustc --release --package engine --bin engine -- -C target-cpu=native
	cp target/release/engine $(EXE)

.PHONY: all
