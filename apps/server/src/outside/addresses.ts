import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import os from 'node:os'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config.ts'

/** Resolves a host name to all of its addresses. Rejects when there is none. */
export type Resolve = (host: string) => Promise<string[]>

/** Addresses of public ranges that are internal: the host agent that every virtual machine of Azure can reach. */
const internalExceptions = new Set(['168.63.129.16'])
const globalV6 = ipaddr.parseCIDR('2000::/3')

/**
 * Whether an address is on the public internet. Special ranges are not: private, loopback, link-local (which has the
 * metadata services of clouds), shared (CGNAT), multicast, reserved, and IPv6 forms that embed an IPv4 address (mapped,
 * NAT64, 6to4, Teredo), since those reach whatever the embedded address reaches.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || internalExceptions.has(address)) return false
  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalV6))
}

/** Whether an IPv4 or IPv6 address is a loopback address. */
function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback'
}

/** Whether an address belongs to a network interface of this machine. */
const isOwnAddress = (address: string): boolean =>
  Object.values(os.networkInterfaces()).some(each =>
    each?.some(own => ipaddr.parse(own.address).toNormalizedString() === ipaddr.parse(address).toNormalizedString()),
  )

/** Where callbacks may go besides the public internet. */
export interface Reach {
  loopback: boolean
  /** Allowed by the operator: host names, addresses and CIDR ranges. */
  private: readonly string[]
  /** Ports allowed by the operator besides 443 and 80. */
  ports: readonly number[]
}

/** Whether a callback may go to the port of a URL. Other ports belong to services that no merchant should reach, or scan, from here. */
export function portMayBeCalled({ port }: URL, { loopback, ports }: Reach): boolean {
  const number = Number(port)
  return port === '' || number === 443 || number === 80 || ports.includes(number) || (loopback && number >= 1024)
}

/**
 * Whether a callback may go to an address of a host: a public one that is not this machine's own, which a firewall may let
 * in only from itself, or one within `reach`.
 */
export function mayBeCalled(address: string, host: string, reach: Reach): boolean {
  if (reach.private.some(entry => entry === host.toLowerCase() || entry === address || isWithin(address, entry)))
    return true
  return isPublicAddress(address) ? !isOwnAddress(address) : reach.loopback && isLoopbackAddress(address)
}

function isWithin(address: string, entry: string): boolean {
  if (!ipaddr.isValid(address) || !ipaddr.isValidCIDR(entry)) return false
  const [parsed, range] = [ipaddr.parse(address), ipaddr.parseCIDR(entry)]
  return parsed.kind() === range[0].kind() && parsed.match(range)
}

/**
 * Queries the name servers directly. The system resolver would block one of the few threads that password hashing needs
 * too, for as long as a slow name server takes.
 */
export const resolveHost: Resolve = async host => {
  if (host === 'localhost') return ['127.0.0.1', '::1']
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const found = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length === 0) throw new Error(`no address for ${host}`)
  return found
}

/** The host of a URL if it is an IP address (IPv6 without brackets), else null. */
export function literalAddress(url: URL): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return isIP(host) ? host : null
}

/** Returns where callbacks and pushes may go besides the public internet. */
export const reachOf = (config: Pick<Config, 'mode' | 'callbackPrivate' | 'callbackPorts'>): Reach => ({
  loopback: config.mode === 'sandbox',
  private: config.callbackPrivate,
  ports: config.callbackPorts,
})

/** Reports whether a URL leads where it may not. One whose host does not resolve now does not: each request checks its address. */
export async function isInside(url: URL, reach: Reach): Promise<boolean> {
  if (!portMayBeCalled(url, reach)) return true
  const literal = literalAddress(url)
  const addresses = literal ? [literal] : await resolveHost(url.hostname).catch(() => [])
  return addresses.some(address => !mayBeCalled(address, url.hostname, reach))
}
