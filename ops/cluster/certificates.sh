#!/bin/sh
# Makes the certificates inside the cluster: an authority of its own, and a certificate for each member.
#
#   ops/cluster/certificates.sh <folder> db1=10.0.0.11 db2=10.0.0.12 db3=10.0.0.13
#
# <folder>/ca.key signs certificates: keep it off all of these machines. A member gets <folder>/<name>, everybody else
# <folder>/ca.crt. Run again, it keeps the authority and renews each certificate that is named; so do after ca.key is
# lost or known to others, with an empty folder.
set -eu
umask 077
usage="usage: ops/cluster/certificates.sh <folder> <name>=<address>..."
folder=${1:?$usage}
shift
: "${1:?$usage}"
# Days for which a certificate is good.
days=${CERTIFICATE_DAYS:-825}
mkdir -p "$folder"
cd "$folder"
make_key() {
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"
}
if [ ! -e ca.key ]; then
  make_key ca.next
  openssl req -x509 -new -key ca.next -out ca.crt -days 7300 -subj '/CN=Database of Coffer' \
    -addext basicConstraints=critical,CA:TRUE,pathlen:0 -addext keyUsage=critical,keyCertSign,cRLSign
  chmod 644 ca.crt
  mv ca.next ca.key
fi
for member; do
  name=${member%%=*}
  address=${member#*=}
  [ "$name" != "$member" ] && [ -n "$address" ] || { echo "$usage" >&2; exit 1; }
  mkdir -p "$name"
  # Servers reach the primary by HAProxy beside them, whichever member that is: each is also "localhost".
  cat > extensions <<END
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth, clientAuth
subjectAltName = DNS:$name, DNS:localhost, IP:$address, IP:127.0.0.1
END
  make_key "$name/next.key"
  openssl req -new -key "$name/next.key" -subj "/CN=$name" -out request
  openssl x509 -req -in request -CA ca.crt -CAkey ca.key -days "$days" -extfile extensions -out "$name/next.crt" \
    2> openssl.log || { cat openssl.log >&2; exit 1; }
  rm -f extensions request openssl.log
  mv "$name/next.key" "$name/member.key"
  mv "$name/next.crt" "$name/member.crt"
  cp ca.crt "$name/ca.crt"
  chmod 644 "$name/member.crt" "$name/ca.crt"
done
