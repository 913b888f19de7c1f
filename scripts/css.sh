#!/usr/bin/env bash
# Makes static/app.css, static/site.css and the vendored files of static/vendor from the packages
# in static/package-lock.json. It needs npm; without it the committed files stay.
set -eu
cd "$(dirname "$0")/../static"
if ! command -v npm >/dev/null; then
	echo "css: npm is not here, static/app.css stays as it is" >&2
	exit 0
fi
if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
	# npm ci would need the packages of every platform in the lock file.
	npm install --no-save --silent --no-fund --no-audit || {
		echo "css: the packages cannot be fetched, static/app.css stays as it is" >&2
		exit 0
	}
	touch node_modules/.package-lock.json
fi
../scripts/grid-css.sh >src/grid.css
for sheet in app site; do
	node_modules/.bin/tailwindcss -i "src/$sheet.css" -o "$sheet.css" --minify >/dev/null 2>&1
done
mkdir -p vendor/htmx vendor/sortable vendor/inter vendor/source-serif vendor/squire vendor/dompurify
cp node_modules/htmx.org/dist/htmx.min.js vendor/htmx/
cp node_modules/sortablejs/Sortable.min.js vendor/sortable/
cp node_modules/squire-rte/dist/squire.js vendor/squire/
cp node_modules/dompurify/dist/purify.min.js vendor/dompurify/
cp node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2 node_modules/@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2 vendor/inter/
grep -o 'source-serif-4-[a-z-]*\.woff2' src/fonts.css | sort -u | while read -r font; do
	cp "node_modules/@fontsource-variable/source-serif-4/files/$font" vendor/source-serif/
done
for package in htmx.org:htmx sortablejs:sortable squire-rte:squire dompurify:dompurify @fontsource-variable/inter:inter @fontsource-variable/source-serif-4:source-serif; do
	cp "node_modules/${package%%:*}/LICENSE" "vendor/${package##*:}/LICENSE"
done
