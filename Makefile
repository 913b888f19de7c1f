.DEFAULT_GOAL := help
.PHONY: help run test race race-whole race-some race-rows gcc lint gen bench fuzz shuffle e2e agents gallery lighthouse pictures chaos prove release filled

# Tests are compiled without inlining and without DWARF, which take half the time, alike in every folder, are linked
# without symbols, which take a third of linking, and collect garbage less often than what serves for months. What is
# measured is compiled and run as it will be.
TESTS = test race-whole race-some race-rows lint gen shuffle e2e agents gallery pictures chaos
$(TESTS): export GOFLAGS = -trimpath '-gcflags=lectern/...=-l -dwarf=false' -ldflags=-s
$(TESTS): export GOGC = 400

FUZZTIME ?= 10s
ROUNDS ?= 20

help: ## show this list
	@sed -n 's/^\([a-z0-9]*\):.*## /\1|/p' Makefile | while IFS='|' read -r name what; do printf '  %-10s %s\n' "$$name" "$$what"; done

run: ## serve the demonstration conference
	go run . demo

test: ## run all tests on SQLite and PostgreSQL (installs what they need)
	scripts/with-postgres.sh go test -vet=off -parallel 2 -timeout 20m ./...

# Where goroutines meet: whole packages, and of the larger ones what RUN finds, which says so in its name. What meets in
# rows (race-rows) is the database's to order, so it is watched before a release alone. SQLite is C made Go: ten times
# slower when watched, and not ours to watch. Its driver is watched, because generic code that it shares with others is
# compiled once for all of them.
RACE = CGO_ENABLED=1 scripts/with-postgres.sh go test -race -vet=off -parallel 2 -timeout 20m -gcflags=modernc.org/sqlite/lib=-race=false
RUN ?= AtOnce|FilesThatAreMissing|FileStoreThatIsAway|ShareABatch|Two(Who|Browsers|Imports)|StartTogether|SetUpMakesOne|LeavesAs|NumberTwice|Writers|Early|SentAgain|ManySenders|Overwrites|SentOff|WhileAChange|WhileEmissions|AcceptedOnce|WorksOnce|AlwaysAnOwner

race: race-whole race-some race-rows ## run tests of models, api and jobs under the race detector (RUN=pattern for others of the large ones)

race-whole: gcc
	$(RACE) ./models/store ./jobs

race-some: gcc
	$(RACE) -run '$(RUN)' ./models/outbox ./models/upkeep ./api

race-rows: gcc
	$(RACE) -run '$(RUN)' ./models ./models/agenda ./models/decisions ./models/letters ./models/people ./models/staff

gcc:
	@command -v gcc >/dev/null || scripts/apt-install.sh gcc libc6-dev

lint: ## check format, vet, staticcheck, layers and limits
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "not formatted (gofmt -w):"; echo "$$unformatted"; exit 1; fi
	go run ./scripts/lint ./...
	go test -vet=off -count=1 layers_test.go limits_test.go

GENERATED ?= ./...
gen: ## write the generated files anew
	go generate $(GENERATED)

bench: ## measure speed and print the table (ARGS="..." are handed on)
	scripts/with-postgres.sh go run ./e2e/bench $(ARGS)

fuzz: ## run each fuzz target for FUZZTIME (10s)
	scripts/with-postgres.sh scripts/fuzz.sh $(FUZZTIME)

shuffle: ## run every test but the journeys ROUNDS times (20) in random order, and print what failed (PACKAGES="./models")
	scripts/with-postgres.sh scripts/shuffle.sh $(ROUNDS) $(PACKAGES)

e2e: ## run the journeys that drive the built binary, also without JavaScript, with pictures, and clients of the API and the tools
	LECTERN_E2E_LONG=1 LECTERN_E2E_SHOTS=1 LECTERN_NODE_E2E=$$(command -v npm >/dev/null && echo 1) scripts/with-postgres.sh go test -count=1 -p 1 -timeout 40m ./e2e/...

agents: ## have an agent's tools do 40 tasks of an organizer at two conferences, on both databases, and print calls and tokens of each
	LECTERN_E2E_LONG=1 scripts/with-postgres.sh go test -count=1 -v -timeout 20m -run TestOrganizersTasks ./e2e/agents

gallery: ## judge every example of the gallery, light on a desk and dark on a phone (make test looks at one of each page)
	LECTERN_E2E_LONG=1 go test -count=1 -timeout 20m -run TestEveryStateOfEveryPageIsAccessible ./e2e/gallery

lighthouse: ## judge every public page of the demonstration, on a phone and a desk (needs npx)
	scripts/lighthouse.sh

pictures: ## take the pictures of README and docs anew, of the demonstration (its titles need a Chinese font)
	LECTERN_PICTURES=1 go test -count=1 -run TestPicturesOfTheDemo ./e2e/gallery

chaos: ## kill, freeze, restart and promote for minutes, and count what was lost (ARGS="-run Killed -count=50 -timeout=60m", LECTERN_CHAOS_SEED=n)
	LECTERN_CHAOS=1 scripts/with-postgres.sh go test -count=1 -v -timeout 6m ./e2e/chaos $(ARGS)
	LECTERN_ENDINGS=300 scripts/with-postgres.sh go test -count=1 -timeout 20m -run TestAnEndingServerRefuses ./web/server

prove: race e2e chaos ## run the suites that are too long for every change, before a release

VERSION ?= $(shell sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' CHANGELOG.md | head -1)

release: ## build what is released into dist/, of the version that the changelog begins with (VERSION=1.0)
	scripts/release.sh $(VERSION) $(SYSTEMS)

filled: ## keep the demonstration's database as this version leaves it, from which the next one is upgraded in tests
	scripts/with-postgres.sh go run ./e2e/filled $(VERSION) e2e/operating/testdata
