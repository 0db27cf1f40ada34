import base64, hashlib, hmac, json, time

# Raises unless the request came from the service within the last five minutes. `body` is the raw bytes.
def verify(secret, headers, body):
    id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        raise ValueError("too old or too new")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers["webhook-signature"].split(" ")
    if not any(hmac.compare_digest(expected.encode(), each.encode()) for each in given):
        raise ValueError("wrong signature")
    return json.loads(body)
