import type { Language } from '@coffer/contract/languages.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { formatTimeInZone } from '../kit/days.ts'
import { csvFile } from '../kit/export/csv.ts'
import { type ExportTable, startExport } from '../kit/export/export-rows.ts'
import { Refusal } from '../kit/refusal.ts'
import type { Session } from './context.ts'

/** Timeout (ms) after which an export to a stalled client is aborted. */
const stalledMs = 60_000
/** Time (ms) that a client may take for a file. */
const longestMs = 30 * 60_000

const xlsx = { extension: 'xlsx', type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' }

interface ExportContext<Filter> {
  deps: Deps
  session: Session
  query: Filter
  language: Language
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * Makes the handler of an export call, whose query is the list's filter. It responds with the file of `table` and
 * the number of rows in X-Total-Rows. Refuses a request without the header X-DOWNLOAD.
 */
export const exportHandler =
  <Filter, Row, Names, Found>(table: ExportTable<Filter, Row, Names, Found>) =>
  async ({ deps, session, query: filter, language, request, reply }: ExportContext<Filter>) => {
    // CSRF protection: a link on another site cannot set this header.
    if (!request.headers['x-download']) throw new Refusal('parameter_error', { field: 'X-DOWNLOAD' })
    // Also of calls about the person alone: what is exported is the shop's.
    if (session.factorMissing) throw new Refusal('second_factor_needed')
    const { merchantId, personId, role } = session
    const { total, zone, file } = await startExport(deps, table, { merchantId, personId, role, filter, language })
    file.once('error', error => request.log.error({ err: error }, 'export failed'))
    reply.raw.setTimeout(stalledMs, () => reply.raw.destroy())
    const late = setTimeout(() => reply.raw.destroy(), longestMs).unref()
    reply.raw.once('close', () => clearTimeout(late))
    const stamp = formatTimeInZone(deps.clock(), zone).replace(/\D/g, '')
    const text = table.text?.(filter)
    const { extension, type } = text === 'csv' ? csvFile(table.columns) : (text ?? xlsx)
    return reply
      .type(type)
      .header('content-disposition', `attachment; filename="${table.fileName}${stamp}.${extension}"`)
      .header('x-total-rows', total)
      .header('cache-control', 'no-store')
      .send(file)
  }
