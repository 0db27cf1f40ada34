import { shopOrigin } from '@coffer/contract/codes/shops.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { Refusal } from '../../../kit/refusal.ts'

const query = z.object({
  permissions: z
    .union([z.string(), z.array(z.string())])
    .transform(given => [given].flat().map(each => each.split(':')[0]!))
    .pipe(z.array(z.string().regex(/^[\w.]{1,80}$/)).max(40))
    .default([]),
  applicationName: z.string().max(200).default(''),
  redirect: z.string().max(500).default(''),
})

/**
 * Mounts the page by which a shop asks for a key: leads to the page of the back-office where a merchant connects it.
 * What comes from the shop is untrusted: its name is shortened, and the key can only be sent to an origin that is
 * allowed.
 */
export function mountAuthorize(scope: FastifyInstance, { config }: Deps): void {
  scope.get('/api-keys/authorize', async (request, reply) => {
    const { permissions, applicationName, redirect } = query.parse(request.query)
    if (redirect !== '' && shopOrigin(redirect, config.mode === 'sandbox') === null)
      throw new Refusal('bad_url', { field: 'redirect' })
    const name = [...applicationName.replace(/[\p{C}\p{Bidi_Control}]/gu, '')].slice(0, 40).join('').trim()
    const given = { name, redirect, permissions: permissions.join(',') }
    return reply.redirect(`/connectShop?${new URLSearchParams(given)}`, 302)
  })
}
