#!/usr/bin/env bash
# Writes the public members of each library in src into its PublicAPI.Unshipped.txt. Run it after a change of a public member, and commit the files with it.
#   build/update-public-api.sh                  # every library
#   build/update-public-api.sh Stout.Sqlite     # after a change of this one
set -euo pipefail
cd "$(dirname "$0")/.."
packages=("$@")
[ $# -gt 0 ] || mapfile -t packages < <(for file in src/*/PublicAPI.Unshipped.txt; do basename "$(dirname "$file")"; done | LC_ALL=C sort)
for package in "${packages[@]}"; do
  file=src/$package/PublicAPI.Unshipped.txt
  before=$(mktemp)
  cp "$file" "$before"
  # Each member that the file lacks is an error, whose text is the line that the file lacks. A library comes after those that it refers to.
  echo '#nullable enable' > "$file"
  log=$(dotnet build "src/$package" -c Release -v quiet -nologo -p:RunAnalyzers=true 2>&1) || true
  if others=$(grep -E 'error ' <<< "$log" | grep -v 'RS0016'); then
    cp "$before" "$file"
    printf '%s\n' "$others" | sort -u | head -20 >&2
    exit 1
  fi
  sed -nE "s/.*(error|warning) RS0016: Symbol '(.*)' is not part of the declared public API.*[/\\]$package\.csproj\].*/\2/p" <<< "$log" | LC_ALL=C sort -u >> "$file"
  echo "$package: $(($(wc -l < "$file") - 1)) members"
  rm "$before"
done
