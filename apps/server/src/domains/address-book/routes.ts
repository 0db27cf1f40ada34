import { defineHandlers } from '../../http/context.ts'
import { exportHandler } from '../../http/export.ts'
import { pageOf } from '../../kit/list.ts'
import { addEntries } from './add-entries.ts'
import { changeOrRemove } from './change-entry.ts'
import { checkRows, importRows } from './import-rows.ts'
import bookExport, { listBook } from './list.ts'

/** The address book of the merchant. */
export const addressBookHandlers = defineHandlers({
  'GET /api/v1/address': ({ deps, session: { merchantId }, query }) => listBook(deps, merchantId, query, pageOf(query)),

  'POST /api/v1/address': async context => {
    const { proof, ...entry } = context.body
    const { merchantId } = context.session
    const [id = ''] = await addEntries(context.deps, { merchantId, entries: [entry], proof, from: context })
    return { id }
  },

  'PUT /api/v1/address': async context => {
    const { id, proof, ...about } = context.body
    const { merchantId } = context.session
    await changeOrRemove(context.deps, { merchantId, id, about, proof, from: context })
    return { id }
  },

  'DELETE /api/v1/address': async context => {
    const { id, proof } = context.body
    const { merchantId } = context.session
    await changeOrRemove(context.deps, { merchantId, id, about: null, proof, from: context })
    return { id }
  },

  'POST /api/v1/address/import/check': ({ deps, session: { merchantId }, body: { rows }, language }) =>
    checkRows(deps, { merchantId, rows, language }),

  'POST /api/v1/address/import': context => {
    const { rows, proof } = context.body
    return importRows(context.deps, { merchantId: context.session.merchantId, rows, proof, from: context })
  },

  'GET /api/v1/address/export': exportHandler(bookExport),
})
