import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { createFieldRefusal } from '../kit/refusal.ts'
import { forwardedIp } from '../kit/visitor.ts'

/**
 * Makes `request.ip` an address wherever a proxy is trusted: ports behind addresses of X-Forwarded-For are left out,
 * and a request whose trusted entry is no address is refused, since limits and whitelists would take all such visitors
 * for one. The first is logged.
 */
export function normalizeForwardedIps(app: FastifyInstance, { log, config }: Pick<Deps, 'log' | 'config'>): void {
  if (config.trustProxy === 0) return
  let isSaid = false
  app.addHook('onRequest', async request => {
    const { headers, socket } = request.raw
    const given = headers['x-forwarded-for']
    if (given === undefined) return
    const entries = [given].flat().join(',').split(',')
    headers['x-forwarded-for'] = entries.map(each => forwardedIp(each) ?? each).join(',')
    // An empty header would leave the proxy's own address.
    if (isIP(request.ip) && entries.some(each => each.trim() !== '')) return
    if (!isSaid) {
      const about = { entry: request.ip.slice(0, 100), proxy: socket.remoteAddress, trusted: config.trustProxy }
      log.error(
        about,
        'X-Forwarded-For has no address where COFFER_TRUST_PROXY looks for it: correct the proxy or the number',
      )
    }
    isSaid = true
    throw createFieldRefusal(
      'X-Forwarded-For',
      'the proxy of this server sent no address of yours; its operator must correct it',
      '本服务的反向代理未提供您的 IP 地址，须由运营方修正',
    )
  })
}
