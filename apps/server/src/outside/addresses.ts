import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Gives every address of a host name. Rejects when there is none. */
export type Resolve = (host: string) => Promise<string[]>

/** Public by its number and yet inside: the host agent that every virtual machine of one large cloud can reach. */
const insideThough = new Set(['168.63.129.16'])
const globalV6 = ipaddr.parseCIDR('2000::/3')

/**
 * Whether an address is one of the open internet. Everything special is not: private, loopback, link-local (with the
 * metadata services of clouds), shared (CGNAT), multicast, reserved, and IPv6 forms that carry an IPv4 address
 * (mapped, NAT64, 6to4, Teredo), since those lead wherever the embedded one does.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || insideThough.has(address)) return false
  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalV6))
}

/** Whether an address is this machine, in either form of the protocol. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback'
}

/**
 * Asks the name servers directly. The system's own look-up would hold one of the few threads that password hashing
 * needs too for as long as somebody's slow name server likes.
 */
export const resolveHost: Resolve = async host => {
  if (host === 'localhost') return ['127.0.0.1', '::1']
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const found = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length === 0) throw new Error(`no address for ${host}`)
  return found
}

/** The host of a URL as an address if it is one (IPv6 without brackets), else null. */
export function literalAddress(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return isIP(host) ? host : null
}
