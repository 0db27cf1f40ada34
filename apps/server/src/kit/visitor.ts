import { isIP, isIPv4 } from 'node:net'
import type { Language } from '@coffer/contract'
import type { MerchantRole } from '@coffer/contract/kit/merchant-roles.ts'
import ipaddr from 'ipaddr.js'

/**
 * The origin of a request, set by the HTTP layer. `device` is the User-Agent, which is untrusted. `factor` names what
 * the request sent to confirm an identity, such as `password` or `google`; the command checks it.
 */
export interface Visitor {
  ip: string
  device: string
  language: Language
  /** The zone of the visitor's clock; absent where the header X-Time-Zone names none. */
  timeZone?: string | undefined
  factor?: string
  /** The secret in the device's cookie, which counts only if a sign-in stored its hash; absent without a cookie. */
  deviceToken?: string | undefined
  /** What a stranger has paid with: the header X-Work, untrusted. */
  work?: string | undefined
  /** The session of the request: whose, for which shop, as what, and its name as the audit log keeps it. */
  session?: { name: string; personId: string; merchantId: string; role?: MerchantRole } | undefined
}

/** Returns the city and country of a plain IP address in every language; undefined if unknown. */
export type IpLocationLookup = (ip: string) => Record<Language, string> | undefined

/** The first of which a user agent has all texts counts. */
const browsers: [RegExp[], string][] = [
  [[/\bEdg(?:e|A|iOS)?\//], 'Edge'],
  [[/\b(?:OPR|Opera)\//], 'Opera'],
  [[/\b(?:Firefox|FxiOS)\//], 'Firefox'],
  [[/\b(?:Chrome|CriOS|HeadlessChrome)\//], 'Chrome'],
  [[/\bVersion\/\d/, /Safari\//], 'Safari'],
]
const systems: [RegExp[], string][] = [
  [[/\b(?:iPhone|iPad|iPod)\b/], 'iOS'],
  [[/\bAndroid\b/], 'Android'],
  [[/\bWindows\b/], 'Windows'],
  [[/\bMac OS X\b|\bMacintosh\b/], 'macOS'],
  [[/\bCrOS\b/], 'ChromeOS'],
  [[/\bLinux\b/], 'Linux'],
]

/** Returns a short name for a User-Agent, such as "Chrome, Windows". It has only known words and is safe to show. */
export function deviceName(userAgent: string): string {
  const of = (known: [RegExp[], string][]) => known.find(([has]) => has.every(each => each.test(userAgent)))?.[1]
  return [of(browsers), of(systems)].filter(Boolean).join(', ')
}

/** The longest address with brackets and a port, with room for spaces. */
const forwardedMost = 64

/**
 * Reads the address of an entry of X-Forwarded-For, to which some proxies add the port of the client:
 * `203.0.113.7:61598`, `[2001:db8::1]:443`. Undefined for anything else.
 */
export function forwardedIp(entry: string): string | undefined {
  const text = entry.length > forwardedMost ? '' : entry.trim()
  if (isIP(text)) return text
  const [, bracketed = '', plain = ''] = /^(?:\[([\da-f:.]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/i.exec(text) ?? []
  if (isIP(bracketed) === 6) return bracketed
  return isIPv4(plain) ? plain : undefined
}

/** Normalises an IP address and unwraps IPv4-mapped IPv6. Returns invalid input unchanged. */
export const plainIp = (ip: string): string => (isIPv4(ip) || !ipaddr.isValid(ip) ? ip : ipaddr.process(ip).toString())

/** Returns the origin of a visitor for rate limits: the IPv4 address, or the IPv6 /64. */
export function toIpRateLimitKey(ip: string): string {
  const plain = plainIp(ip)
  if (!ipaddr.IPv6.isValid(plain)) return plain
  return ipaddr.IPv6.networkAddressFromCIDR(`${plain}/64`).toString()
}

/** Returns the network that one party usually controls: the IPv4 /24, or the IPv6 /48. */
export function networkKey(ip: string): string {
  const plain = plainIp(ip)
  if (!ipaddr.isValid(plain)) return plain
  return ipaddr.IPv6.isValid(plain)
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${plain}/48`)}/48`
    : `${ipaddr.IPv4.networkAddressFromCIDR(`${plain}/24`)}/24`
}

/** Classifies an address as private or unknown. */
export function classifyIp(ip: string): 'private' | 'unknown' {
  const plain = plainIp(ip)
  const inside = ['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat']
  return ipaddr.isValid(plain) && inside.includes(ipaddr.parse(plain).range()) ? 'private' : 'unknown'
}
