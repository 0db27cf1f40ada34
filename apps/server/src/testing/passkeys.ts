import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const text = (bytes: Buffer) => bytes.toString('base64url')
/** The lengths of CBOR (RFC 8949) that occur here. */
const bytesOf = (data: Buffer) => Buffer.concat([Buffer.from([0x59, data.length >> 8, data.length & 255]), data])

/** How an answer deviates from that of a correct authenticator. */
interface Deviation {
  origin?: string
  site?: string
  flags?: number
  counter?: number
  type?: string
  crossOrigin?: boolean
}

/** An authenticator with one P-256 passkey, for a site. It counts its signatures unless `counts` is false. */
export function softPasskey({ site = 'pay.example', origin = 'https://pay.example', counts = true } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let signatures = 0
  const clientData = (type: string, challenge: string, by: Deviation) =>
    Buffer.from(
      JSON.stringify({
        type: by.type ?? type,
        challenge,
        origin: by.origin ?? origin,
        crossOrigin: by.crossOrigin ?? false,
      }),
    )
  const authenticatorData = (rpId: string, flags: number, counter: number, rest = Buffer.alloc(0)) => {
    const head = Buffer.alloc(5)
    head.writeUInt8(flags)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rpId), head, rest])
  }
  return {
    id: text(id),
    /** The public key as the signer's policy names it. */
    signerKey: text(publicKey.export({ format: 'der', type: 'spki' })),
    /** Answers `navigator.credentials.create`. */
    create({ challenge }: { challenge: string }, by: Deviation = {}) {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const coordinate = (value: string) => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(value, 'base64url')])
      const key = [
        Buffer.from('a5010203262001', 'hex'),
        Buffer.from([0x21]),
        coordinate(x),
        Buffer.from([0x22]),
        coordinate(y),
      ]
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, ...key])
      const data = authenticatorData(by.site ?? site, by.flags ?? 0x45, 0, attested)
      const head = Buffer.from('\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData', 'latin1')
      const client = clientData('webauthn.create', challenge, by)
      const attestationObject = text(Buffer.concat([head, bytesOf(data)]))
      return { id: text(id), response: { attestationObject, clientDataJSON: text(client), transports: ['internal'] } }
    },
    /** Answers `navigator.credentials.get`. */
    sign({ challenge }: { challenge: string }, by: Deviation = {}) {
      signatures += counts ? 1 : 0
      const data = authenticatorData(by.site ?? site, by.flags ?? 0x05, by.counter ?? signatures)
      const client = clientData('webauthn.get', challenge, by)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      const response = { authenticatorData: text(data), clientDataJSON: text(client), signature: text(signature) }
      return { id: text(id), response }
    },
  }
}

export type SoftPasskey = ReturnType<typeof softPasskey>
