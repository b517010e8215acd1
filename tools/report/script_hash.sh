# script_hash.sh FILE..: what a Content-Security-Policy calls a script of these files, with a line end after each.
hex=$(for file in "$@"; do cat "$file" && echo; done | sha256sum | cut --characters 1-64 | tr a-f A-F)
printf "'sha256-%s' " "$(printf %s "$hex" | basenc --decode --base16 | base64)"
