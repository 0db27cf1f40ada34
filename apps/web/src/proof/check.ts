import type { MerchantProof, ProofStatement, PublishedProof } from '@coffer/core/proof/format.ts'
import { ProofError, verifyMerchantProof, verifyPublishedProof } from '@coffer/core/proof/verify.ts'
import en from '../i18n/en/reserves.ts'
import { formatPayersTime } from '../i18n/format.ts'
import { language } from '../i18n/language.ts'
import zh from '../i18n/zh-CN/reserves.ts'
import { formatUnits } from './amounts.ts'
import { proofCrypto } from './crypto.ts'

/**
 * The page that verifies a proof without a network, one file with all it needs. It is opened from a disk, where nothing
 * of the server runs.
 */
const words = { en, 'zh-CN': zh }

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  text = '',
  attributes: Record<string, string> = {},
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  made.textContent = text
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  return made
}

const input = (type: string, accept = '') => element('input', '', { type, ...(accept && { accept }) })
const labelled = (text: string, control: HTMLElement) => {
  const label = element('label', text)
  label.append(control)
  return label
}

async function readJson<T>(file: File): Promise<T> {
  try {
    return JSON.parse(await file.text()) as T
  } catch {
    return null as T
  }
}

function show(): void {
  const t = words[language.get()]
  document.title = t.checkTitle
  document.documentElement.lang = language.get()
  const published = input('file', '.json')
  const own = input('file', '.json')
  const merchant = input('text')
  const key = input('text')
  const result = element('div', '', { role: 'status' })
  const check = element('button', t.check, { type: 'submit' })
  const form = element('form')
  form.append(
    labelled(t.publishedFile, published),
    labelled(t.ownFile, own),
    labelled(t.ownNumber, merchant),
    labelled(t.knownKey, key),
    check,
  )
  form.addEventListener('submit', async event => {
    event.preventDefault()
    const [file] = published.files ?? []
    const [ownFile] = own.files ?? []
    if (!file) return published.focus()
    const files = {
      published: await readJson<PublishedProof>(file),
      own: ownFile && (await readJson<MerchantProof>(ownFile)),
    }
    const known = {
      publicKey: key.value.trim().toLowerCase() || undefined,
      merchant: merchant.value.trim() || undefined,
    }
    result.replaceChildren(...verify(files, known))
  })
  const other = language.get() === 'en' ? 'zh-CN' : 'en'
  const change = element('button', other === 'en' ? 'English' : '简体中文', { type: 'button', class: 'link' })
  change.addEventListener('click', () => {
    language.set(other)
    show()
  })
  document.body.replaceChildren(element('h1', t.checkTitle), element('p', t.checkText), form, result, change)
}

function verify(
  { published, own }: { published: PublishedProof; own: MerchantProof | undefined },
  { publicKey, merchant }: { publicKey: string | undefined; merchant: string | undefined },
): HTMLElement[] {
  const t = words[language.get()]
  try {
    if (!own)
      return [
        element('p', t.publishedValid, { class: 'good' }),
        ...describe(verifyPublishedProof(proofCrypto, published, publicKey)),
      ]
    const { statement, balances } = verifyMerchantProof(proofCrypto, own, published, { merchant, publicKey })
    const list = element('ul')
    for (const each of balances)
      list.append(element('li', `${formatUnits(String(each.balance), each)} (${each.chain})`))
    return [
      element('p', t.verified, { class: 'good' }),
      element('p', t.verifiedText(formatPayersTime(statement.time))),
      balances.length > 0 ? list : element('p', t.nothingOwed),
      ...describe(statement),
    ]
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return [
      element('p', `${t.notValid}: ${t.faults[error.fault] ?? error.fault}`, { class: 'bad' }),
      element('p', error.at),
    ]
  }
}

/** The proof and what it says of each asset that somebody owns. */
function describe({ id, time, assets }: ProofStatement): HTMLElement[] {
  const t = words[language.get()]
  const list = element('ul')
  for (const asset of assets.filter(({ owed, held }) => owed !== '0' || (held ?? '0') !== '0')) {
    const { symbol, chain, owed, held, difference } = asset
    const end =
      difference === null || held === null
        ? t.notProven
        : `${t.held} ${formatUnits(held, asset)}; ${
            difference === '0'
              ? t.equal
              : (difference.startsWith('-') ? t.less : t.more)(formatUnits(difference, asset))
          }`
    list.append(element('li', `${symbol} (${chain}): ${t.owed} ${formatUnits(owed, asset)}; ${end}`))
  }
  return [element('p', `${t.proof} ${id} · ${t.balancesOf} ${formatPayersTime(time)}`), list]
}

show()
