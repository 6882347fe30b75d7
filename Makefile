# Each target is one call of the course's own command; Windows has no make and calls it directly.
# exec: what ends make ends that, too.
PYTHON ?= python3
COURSE = @exec "$(PYTHON)" -m course

help:
	$(COURSE)

start test progress mine blanks notebooks stubs check mutants site:
	$(COURSE) $@

# make test-chapter3 WHO=solution grades the solution, V=1 shows pytest's own report
WHO = student
test-chapter%: FORCE
	$(COURSE) $@ --who $(WHO) $(V:1=-v)

# make grade-chapter3 FOLDER=submissions OUT=marks, for teachers; ROSTER=class.csv, SANDBOX=1
grade-chapter%: FORCE
	$(COURSE) $@ $(if $(FOLDER),"$(FOLDER)") $(if $(OUT),--out "$(OUT)") \
		$(if $(ROSTER),--roster "$(ROSTER)") $(SANDBOX:1=--sandbox) $(SCHEDULER:%=--scheduler "%")

# make gradescope-chapter3 OUT=autograder.zip; make release-chapter3 OUT=folder, all chapters: release
gradescope-chapter% release-chapter%: FORCE
	$(COURSE) $@ $(if $(OUT),--out "$(OUT)")
release:
	$(COURSE) $@ $(if $(OUT),--out "$(OUT)")

hint-% solution-% carry-% diff-% reset-% mutants-%: FORCE
	$(COURSE) $@

FORCE:
.DEFAULT:
	$(COURSE) $@
MAKEFLAGS += --no-builtin-rules
.PHONY: help start test progress mine blanks notebooks stubs check mutants release FORCE
