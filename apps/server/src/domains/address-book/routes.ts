import { defineHandlers } from '../../http/context.ts'
import { exportHandler } from '../../http/export.ts'
import { pageOf } from '../../kit/list.ts'
import { addAddressBookEntries } from './add-address-book-entries.ts'
import { changeOrRemoveBookEntry } from './change-entry.ts'
import { checkAddressBookRows, importAddressBookRows } from './import-address-book-rows.ts'
import bookExport, { listAddressBook } from './list.ts'

/** The address book of the merchant. */
export const addressBookHandlers = defineHandlers({
  'GET /api/v1/address': ({ deps, session, query }) => listAddressBook(deps, session, query, pageOf(query)),

  'POST /api/v1/address': async context => {
    const { proof, ...entry } = context.body
    const { merchantId } = context.session
    const [id = ''] = await addAddressBookEntries(context.deps, { merchantId, entries: [entry], proof, from: context })
    return { id }
  },

  'PUT /api/v1/address': async context => {
    const { id, proof, ...about } = context.body
    const { merchantId } = context.session
    await changeOrRemoveBookEntry(context.deps, { merchantId, id, about, proof, from: context })
    return { id }
  },

  'DELETE /api/v1/address': async context => {
    const { id, proof } = context.body
    const { merchantId } = context.session
    await changeOrRemoveBookEntry(context.deps, { merchantId, id, about: null, proof, from: context })
    return { id }
  },

  'POST /api/v1/address/import/check': ({ deps, session: { merchantId }, body: { rows }, language }) =>
    checkAddressBookRows(deps, { merchantId, rows, language }),

  'POST /api/v1/address/import': context => {
    const { rows, proof } = context.body
    return importAddressBookRows(context.deps, { merchantId: context.session.merchantId, rows, proof, from: context })
  },

  'GET /api/v1/address/export': exportHandler(bookExport),
})
