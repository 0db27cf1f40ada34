import { limits } from '@coffer/contract/kit/limits.ts'
import { useRef, useState } from 'react'
import { api, type RouteData } from '../../api/index.ts'
import type { Messages } from '../../i18n/areas.ts'
import { useMessages } from '../../i18n/messages.ts'
import { ActionForm } from '../../kit/form/ActionForm.tsx'
import { TruncatedText } from '../../kit/list/columns.tsx'
import { useProof } from '../../kit/proof/useProof.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { RadioGroup } from '../../ui/controls/Choice.tsx'
import { MarkedText } from '../../ui/data/MarkedText.tsx'
import { Table } from '../../ui/data/Table.tsx'
import { Badge } from '../../ui/feedback/Badge.tsx'
import { Modal } from '../../ui/feedback/Modal.tsx'
import type { Encoding, EncodingSample } from './encodings.ts'
import { type AddressImportRow, InvalidLineError, MissingColumnsError, readAddressFile } from './readAddressFile.ts'

type Result = RouteData<'POST /api/v1/address/import/check'>['rows'][number]
type Checked = { row: AddressImportRow; result: Result; line: number }

/** Imports a file: first each row is checked and shown, then those without errors are stored, confirmed by a code. */
export default function ImportModal({ onClose }: { onClose(): void }) {
  const t = useMessages('address-book')
  const common = useMessages('common')
  const input = useRef<HTMLInputElement>(null)
  const [confirming, setConfirming] = useState(false)
  const { busy, problem, checked, unclear, choose } = useCheckedFile()
  const good = (checked ?? []).filter(each => each.result.error === '')
  if (confirming)
    return <Confirm rows={good.map(each => each.row)} onBack={() => setConfirming(false)} onDone={onClose} />
  return (
    <Modal
      open
      keep
      size="large"
      title={t.importTitle}
      text={t.importText}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" disabled={good.length === 0} onClick={() => setConfirming(true)}>
            {t.importVerb(good.length)}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-3">
          <Button icon="upload" busy={busy} onClick={() => input.current?.click()}>
            {checked ? t.importOther : t.importChoose}
          </Button>
          <span role="status" className="text-[13px] text-ink-2">
            {checked && t.importFound(good.length, checked.length)}
          </span>
          <input
            ref={input}
            type="file"
            hidden
            aria-label={t.importChoose}
            accept=".xlsx,.csv,text/csv"
            onChange={event => {
              void choose(event.currentTarget.files?.[0])
              event.currentTarget.value = ''
            }}
          />
        </div>
        {problem !== '' && (
          <p role="alert" className="text-[13px] text-bad">
            {problem}
          </p>
        )}
        {unclear && unclear.samples.length > 0 && (
          <Encodings unclear={unclear} onChoose={encoding => void choose(unclear.file, encoding)} />
        )}
        {checked && <Rows checked={checked} />}
      </div>
    </Modal>
  )
}

/** Reads a file and has its rows checked; one that may have several encodings is `unclear` until one is chosen. */
function useCheckedFile() {
  const t = useMessages('address-book')
  const common = useMessages('common')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const [checked, setChecked] = useState<Checked[]>()
  const [unclear, setUnclear] = useState<Unclear>()
  const choose = async (file: File | undefined, encoding?: Encoding) => {
    if (!file) return
    setBusy(true)
    if (encoding) setUnclear(last => last && { ...last, encoding })
    setProblem('')
    setChecked(undefined)
    try {
      const found = await readAddressFile(file, encoding)
      if (!encoding) setUnclear('samples' in found ? { file, ...found } : undefined)
      if ('samples' in found)
        return found.samples.length === 0 && setProblem(common.pair(file.name, t.importUnreadable))
      const read = found.rows
      const rows = read.map(({ row }) => row)
      if (rows.length === 0) return setProblem(t.importNothing)
      if (rows.length > limits.importRowsMax) return setProblem(t.importTooMany(limits.importRowsMax))
      const answer = await api('POST /api/v1/address/import/check', { body: { rows } })
      setChecked(answer.rows.map((result, index) => ({ result, ...read[index]! })))
    } catch (error) {
      if (!encoding) setUnclear(undefined)
      setProblem(common.pair(file.name, whyNot(error as Error, t)))
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, checked, unclear, choose }
}

/** Why a file was not read. */
function whyNot(error: Error, t: Messages<'address-book'>): string {
  if (error instanceof MissingColumnsError) return t.importColumns
  if (error instanceof InvalidLineError) return t.importBadLine[error.why](error.line)
  return error.name === 'RequestRefused' ? error.message : t.importUnreadable
}

/** A file whose encoding must be chosen, and the one that was chosen. */
interface Unclear {
  file: File
  samples: EncodingSample[]
  encoding?: Encoding
}

/** How the file reads in each encoding that it may have. */
function Encodings({ unclear, onChoose }: { unclear: Unclear; onChoose(encoding: Encoding): void }) {
  const t = useMessages('address-book')
  return (
    <div className="rounded-lg border border-line p-4">
      <RadioGroup<string>
        legend={t.importEncoding}
        value={unclear.encoding ?? ''}
        options={unclear.samples.map(({ encoding, cells }) => ({
          value: encoding,
          label: <span translate="no">{cells.join(' · ')}</span>,
          hint: t.encodings[encoding],
        }))}
        onChange={encoding => onChoose(encoding as Encoding)}
      />
    </div>
  )
}

/** Each row of the file with what its check says. */
function Rows({ checked }: { checked: Checked[] }) {
  const t = useMessages('address-book')
  return (
    <div className="relative max-h-[50dvh] overflow-auto rounded-lg border border-line">
      <Table<Checked>
        caption={t.importTitle}
        rows={checked}
        rowKey={each => String(each.line)}
        columns={[
          {
            title: t.line,
            phone: 'value',
            cell: each => <span className="num text-ink-3">{each.line}</span>,
          },
          {
            title: t.label,
            phone: 'lead',
            cell: each => <TruncatedText width="max-w-40">{each.row.label}</TruncatedText>,
          },
          {
            title: t.network,
            phone: 'text',
            cell: each => <TruncatedText width="max-w-32">{each.row.network}</TruncatedText>,
          },
          {
            title: t.importResult,
            className: 'min-w-80 whitespace-normal',
            phone: 'text',
            cell: each => <Outcome {...each} />,
          },
        ]}
      />
    </div>
  )
}

function Outcome({ row, result: { error, msg, similar } }: Checked) {
  const t = useMessages('address-book')
  return (
    <div className="flex flex-col items-start gap-1 py-1">
      <span translate="no" className="font-mono text-[12.5px] break-all">
        {similar ? <MarkedText text={row.address} {...similar} /> : row.address}
      </span>{' '}
      {/* Phones draw both in one line. */}
      {error === '' ? (
        <Badge kind="success">{t.importGood}</Badge>
      ) : similar ? (
        <span className="text-[13px] text-bad">
          {t.importSimilar}{' '}
          <span translate="no" className="font-mono text-[12.5px] break-all">
            <MarkedText {...similar} text={similar.address} />
          </span>
        </span>
      ) : (
        <span className="text-[13px] text-bad">{msg}</span>
      )}
    </div>
  )
}

/** Asks for the code that confirms the import. */
function Confirm({ rows, onBack, onDone }: { rows: AddressImportRow[]; onBack(): void; onDone(): void }) {
  const t = useMessages('address-book')
  return (
    <ActionForm
      title={t.importTitle}
      text={t.importConfirm(rows.length)}
      verb={t.importVerb(rows.length)}
      proof={useProof('address-book')}
      call={(_values, proof) => api('POST /api/v1/address/import', { body: { rows, ...proof } })}
      refreshes={['GET /api/v1/address']}
      done={({ added }) => t.imported(added)}
      onDone={onDone}
      onClose={onBack}
    />
  )
}
