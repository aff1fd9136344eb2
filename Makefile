# For tools that build engines by make, OpenBench among them: make [EXE=name] [EVALFILE=network]. All else is cargo's.

EXE ?= regulus

ifeq ($(OS),Windows_NT)
    NAME := $(EXE:.exe=).exe
else
    NAME := $(EXE)
endif

ifdef EVALFILE
    export EVALFILE := $(abspath $(EVALFILE))
endif

.PHONY: all
all:
	cargo rustc --release --bin regulus -- --emit link=$(NAME)
