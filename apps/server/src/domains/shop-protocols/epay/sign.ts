import { createHash, createSign, createVerify } from 'node:crypto'
import type { TextFields } from '../fields.ts'
import { isTimingSafeEqual } from '../use-connection.ts'

/**
 * How a request is signed: MD5 over the fields and the key, the same with `&key=` between them, or RSA with SHA-256.
 */
export type EpaySigning = 'md5' | 'md5-key' | 'rsa'

/** What a signature covers: `name=value` of each field but the signature's own, sorted by name, joined by `&`. */
export const signedText = (fields: TextFields, keepEmpty = false): string =>
  Object.keys(fields)
    .filter(name => name !== 'sign' && name !== 'sign_type' && (keepEmpty || fields[name] !== ''))
    .sort()
    .map(name => `${name}=${fields[name]}`)
    .join('&')

// MD5 is what the protocol prescribes. With a secret of 128 random bits at the end it stays infeasible to forge.
const md5 = (text: string) => createHash('md5').update(text, 'utf8').digest('hex')

/**
 * Signs fields with the key of a connection (`md5` or `md5-key`), or with an RSA private key in PEM (`rsa`; base64).
 */
export function signEpay(fields: TextFields, signing: EpaySigning, key: string): string {
  const text = signedText(fields)
  if (signing === 'rsa') return createSign('RSA-SHA256').update(text, 'utf8').sign(key, 'base64')
  return md5(text + (signing === 'md5-key' ? '&key=' : '') + key)
}

/**
 * Finds the key and the way by which fields were signed with MD5. Some clients sign empty fields too, and some sign
 * what is left without backslashes: then these fields are what was signed. Returns undefined when nothing fits.
 */
export function verifyMd5(
  fields: TextFields,
  keys: readonly string[],
): { fields: TextFields; signing: EpaySigning; key: string } | undefined {
  const given = (fields.sign ?? '').toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(given)) return undefined
  let found: { fields: TextFields; signing: EpaySigning; key: string } | undefined
  for (const each of [fields, withoutBackslashes(fields)])
    for (const text of new Set([signedText(each), signedText(each, true)]))
      for (const key of keys)
        for (const signing of ['md5', 'md5-key'] as const)
          if (isTimingSafeEqual(md5(text + (signing === 'md5-key' ? '&key=' : '') + key), given))
            found ??= { fields: each, signing, key }
  return found
}

/** What PHP's `stripslashes` leaves. */
const withoutBackslashes = (fields: TextFields): TextFields =>
  Object.assign(
    Object.create(null),
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.replace(/\\(.?)/gs, '$1')])),
  )

/** Whether one of the public keys verifies the RSA signature of the fields. */
export const verifyRsa = (fields: TextFields, publicKeys: readonly string[]): boolean =>
  publicKeys.some(key =>
    createVerify('RSA-SHA256')
      .update(signedText(fields), 'utf8')
      .verify(key, fields.sign ?? '', 'base64'),
  )
