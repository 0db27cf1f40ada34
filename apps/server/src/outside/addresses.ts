import dns, { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import os from 'node:os'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config.ts'
import { isInRange } from '../kit/ip-range.ts'

/** Resolves a host name to all of its addresses, as `reach` allows. Rejects when there is none. */
export type HostResolver = (host: string, reach: CallbackReach) => Promise<string[]>

/** Addresses of public ranges that are internal: the host agent that every virtual machine of Azure can reach. */
const internalExceptions = new Set(['168.63.129.16'])
const globalV6 = ipaddr.parseCIDR('2000::/3')
/** Addresses of NAT64, which name servers make of IPv4 addresses in networks without IPv4 (RFC 6052). */
const nat64 = '64:ff9b::/96'
/** Benchmark range (RFC 2544), from which proxies with fake addresses answer every name. */
const fakeRange = '198.18.0.0/15'

/**
 * Whether an address is on the public internet. Special ranges are not: private, loopback, link-local (which has the
 * metadata services of clouds), shared (CGNAT), multicast, reserved, and IPv6 forms that embed an IPv4 address (mapped,
 * 6to4, Teredo), since those reach whatever the embedded address reaches. One of NAT64 is public if the embedded
 * address is.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || internalExceptions.has(address)) return false
  const embedded = embeddedIpv4(address)
  if (embedded) return isPublicAddress(embedded)
  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalV6))
}

/** The IPv4 address in one of NAT64. */
function embeddedIpv4(address: string): string | undefined {
  if (!isInRange(address, nat64)) return undefined
  return ipaddr.fromByteArray(ipaddr.parse(address).toByteArray().slice(12)).toString()
}

/**
 * Whether an address is one that a proxy on this machine or in its network made up for a name, so that it shows nothing
 * of the host.
 */
export const isFakeAddress = (address: string): boolean => isInRange(address, fakeRange)

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
export interface CallbackReach {
  loopback: boolean
  /** Allowed by the operator: host names, addresses and CIDR ranges. */
  private: readonly string[]
  /** Ports allowed by the operator besides 443 and 80. */
  ports: readonly number[]
}

/**
 * Whether a callback may go to the port of a URL. Other ports belong to services that no merchant should reach, or
 * scan, from here.
 */
export function isCallablePort({ port }: URL, { loopback, ports }: CallbackReach): boolean {
  const number = Number(port)
  return port === '' || number === 443 || number === 80 || ports.includes(number) || (loopback && number >= 1024)
}

/**
 * Whether a callback may go to an address of a host: a public one that is not this machine's own, which a firewall may
 * let in only from itself, or one within `reach`.
 */
export function isCallableAddress(address: string, host: string, reach: CallbackReach): boolean {
  if (isNamed(host, reach) || reach.private.some(entry => entry === address || isInRange(address, entry))) return true
  const embedded = embeddedIpv4(address)
  if (embedded) return isCallableAddress(embedded, host, reach)
  if (isPublicAddress(address)) return !isOwnAddress(address)
  return reach.loopback && (isLoopbackAddress(address) || isFakeAddress(address))
}

const isNamed = (host: string, reach: CallbackReach): boolean => reach.private.includes(nameOf(host))

/** A host name in lower case, without the dot of the root at its end. */
const nameOf = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host).toLowerCase()

/**
 * Queries the name servers directly. The system resolver would block one of the few threads that password hashing needs
 * too, for as long as a slow name server takes. So it is queried only for names that the operator allows, which may
 * stand in the hosts file or need a search domain. Names of the local machine (RFC 6761) are no question to name
 * servers.
 */
export const resolveHost: HostResolver = async (host, reach) => {
  const name = nameOf(host)
  if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1']
  if (isNamed(host, reach)) return (await dns.lookup(host, { all: true })).map(({ address }) => address)
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
export const buildCallbackReach = (
  config: Pick<Config, 'mode' | 'callbackPrivate' | 'callbackPorts'>,
): CallbackReach => ({
  loopback: config.mode === 'sandbox',
  private: config.callbackPrivate,
  ports: config.callbackPorts,
})

/**
 * Finds why a URL leads where it may not: its port, or its only addresses. One whose host does not resolve now does
 * not: each request checks the addresses that it connects to.
 */
export async function findUrlBlockReason(
  url: URL,
  reach: CallbackReach,
): Promise<'port' | 'internal' | 'fake' | undefined> {
  if (!isCallablePort(url, reach)) return 'port'
  const literal = literalAddress(url)
  const addresses = literal ? [literal] : await resolveHost(url.hostname, reach).catch(() => [])
  if (addresses.length === 0 || addresses.some(address => isCallableAddress(address, url.hostname, reach)))
    return undefined
  return addresses.every(isFakeAddress) ? 'fake' : 'internal'
}
