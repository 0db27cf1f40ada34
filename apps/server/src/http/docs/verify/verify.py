import base64, hashlib, hmac, json, time

# Raises if the signature is invalid or older than five minutes. `body` is the raw bytes.
def verify(secret, headers, body):
    id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        raise ValueError("timestamp outside the tolerance")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers["webhook-signature"].split(" ")
    if not any(hmac.compare_digest(expected.encode(), each.encode()) for each in given):
        raise ValueError("invalid signature")
    return json.loads(body)
