#!/usr/bin/env bash
# Checks every public page of the demonstration with Lighthouse, as a phone and as a desktop: scripts/lighthouse.sh
# [LEAST]. Needs npx and Chromium. It fails if a figure is below LEAST (95); pages with noindex are not checked for
# search engines.
set -euo pipefail
least=${1:-95} port=${PORT:-18437} lighthouse=lighthouse@12.8.2
export CHROME_PATH=${CHROME_PATH:-$(command -v chromium-headless-shell || command -v chromium)}
dir=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null; rm -rf "$dir"' EXIT
go build -o "$dir/lectern" .
"$dir/lectern" demo --addr "127.0.0.1:$port" >"$dir/served" 2>&1 &
server=$!
origin=http://127.0.0.1:$port event=/events/tideline-2027
until curl -sf -o "$dir/speakers" "$origin$event/speakers"; do kill -0 $server; sleep 1; done
curl -sf "$origin$event/sessions" >"$dir/sessions"
first() { grep -o "href=\"$event/$1/[^\"?#]*" "$dir/$1" | head -1 | cut -d'"' -f2; }

failed=0
for at in $event $event/{agenda,sessions,itinerary,speakers,speakers?view=photos,my,changes,feeds,call} "$(first sessions)" \
	"$(first speakers)"; do
	for form in mobile desktop; do
		npx --yes $lighthouse "$origin$at" $([ $form = desktop ] && echo --preset=desktop) --quiet --output=json \
			--output-path="$dir/report" --chrome-flags="--no-sandbox --headless --disable-dev-shm-usage" >"$dir/log" 2>&1 ||
			{ cat "$dir/log"; exit 1; }
		node -e '
			const [, report, least, at, form] = process.argv, r = JSON.parse(require("fs").readFileSync(report));
			const hidden = r.audits["is-crawlable"].score === 0;
			const figures = Object.values(r.categories).filter(c => !(hidden && c.id === "seo"));
			console.log(at, form, figures.map(c => c.title + " " + Math.round(c.score * 100)).join(", "));
			process.exit(figures.every(c => c.score * 100 >= least) ? 0 : 1);
		' "$dir/report" "$least" "$at" $form || failed=1
	done
done
exit $failed
