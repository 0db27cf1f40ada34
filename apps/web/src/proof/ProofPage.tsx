/** @jsxImportSource preact */
import {
  type ProofStatement,
  type ProvenAsset,
  type PublishedProof,
  readProofAmount,
} from '@coffer/core/proof/format.ts'
import { useEffect, useState } from 'preact/hooks'
import { formatPayersTime } from '../i18n/format.ts'
import { cardClass, cx, linkClass } from '../ui/classes.ts'
import type { VisitorPageProps } from '../visitor/open.tsx'
import { Frame, GroupedText, useTitle } from '../visitor/parts.tsx'
import { formatUnits } from './amounts.ts'

type Words = typeof import('../i18n/en/reserves.ts').default
interface Proof {
  statement: ProofStatement
  publicKey: string
  others: string[]
  /** Names of networks by their ids. They are not signed, so the id stands beside them. */
  networks: Record<string, string>
}
/** Ids of earlier proofs that are linked. */
const earlierMax = 14

async function readProof(id: string): Promise<Proof | 'none' | 'offline'> {
  try {
    const [response, index] = await Promise.all([fetch(`/proof/${id}.json`), fetch('/proof/index.json')])
    if (response.status === 404) return 'none'
    const published = (await response.json()) as PublishedProof
    const { list, networks } = (await index.json()) as { list: { id: string }[]; networks: Record<string, string> }
    const statement = JSON.parse(published.statement) as ProofStatement
    const others = list.map(each => each.id).filter(each => each !== statement.id)
    return { statement, publicKey: published.public_key, others: others.slice(0, earlierMax), networks }
  } catch {
    return 'offline'
  }
}

const isShort = ({ difference }: ProvenAsset) => difference?.startsWith('-') === true
const isNothing = ({ owed, held }: ProvenAsset) => owed === '0' && (held === '0' || held === null)

/** Shows the newest proof, or that of the id in the address: what is owed, what is held, and the difference. */
export function ProofPage({ t, frame }: VisitorPageProps<Words>) {
  const [proof, setProof] = useState<Awaited<ReturnType<typeof readProof>>>()
  useEffect(() => {
    const id = new URLSearchParams(location.search).get('id') ?? 'latest'
    void readProof(encodeURIComponent(id)).then(setProof)
  }, [])
  useTitle(t.title)
  return (
    <Frame {...frame} width="max-w-[760px]">
      <h1 class="text-xl font-semibold">{t.title}</h1>
      <p class="mt-1 text-sm text-ink-2">{t.text}</p>
      {typeof proof === 'object' ? (
        <Shown proof={proof} t={t} />
      ) : (
        <p class="mt-6 text-sm" role="status">
          {proof === undefined ? t.loading : t[proof]}
        </p>
      )}
    </Frame>
  )
}

function Shown({ proof: { statement, publicKey, others, networks }, t }: { proof: Proof; t: Words }) {
  const { id, time, assets, chains } = statement
  const shown = assets.filter(each => !isNothing(each))
  const short = shown.filter(isShort).length
  const unproven = shown.filter(each => each.held === null).length
  const verdict = [short > 0 && t.short(short), unproven > 0 && t.unproven(unproven)].filter(Boolean).join(' ')
  return (
    <div class="mt-5 flex flex-col gap-4">
      <section class={cx(cardClass, 'p-5')}>
        <p class={cx('font-medium', short > 0 ? 'text-bad' : unproven > 0 ? 'text-warn' : 'text-good')}>
          {verdict || t.covered}
        </p>
        <p class="num mt-1 text-sm text-ink-2">
          {t.proof} {id} · {t.balancesOf} {formatPayersTime(time)}
        </p>
      </section>
      {shown.map(asset => (
        <Asset key={asset.id} asset={asset} network={networks[asset.chain]} statement={statement} t={t} />
      ))}
      {shown.length < assets.length && <p class="px-1 text-sm text-ink-3">{t.others(assets.length - shown.length)}</p>}
      <section class={cx(cardClass, 'p-5 text-sm')}>
        <h2 class="font-semibold">{t.networks}</h2>
        <dl class="mt-2 flex flex-col gap-2">
          {chains.map(({ id: chain, block, reason }) => (
            <div key={chain}>
              <dt>
                <Network id={chain} name={networks[chain]} />
              </dt>
              <dd class="num text-ink-2">
                {block === null
                  ? `${t.notProven}: ${t.reasons[reason] ?? reason}`
                  : block.until === null
                    ? t.block(String(block.number))
                    : t.between(String(block.number), String(block.until))}
                {block && (
                  <span class="block">
                    <GroupedText value={block.hash} />
                  </span>
                )}
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <section class={cx(cardClass, 'p-5 text-sm')}>
        <h2 class="font-semibold">{t.publicKey}</h2>
        <p class="mt-1">
          <GroupedText value={publicKey} />
        </p>
        <p class="mt-1 text-ink-2">{t.publicKeyText}</p>
        <h2 class="mt-4 font-semibold">{t.files}</h2>
        <ul class="mt-1 flex flex-col gap-1">
          <FileLink to={`/proof/${id}.json`} text={t.published} />
          <FileLink to="/proof/check.html" text={t.checker} />
          <FileLink to="/proof/format.md" text={t.format} />
        </ul>
        {others.length > 0 && (
          <>
            <h2 class="mt-4 font-semibold">{t.earlier}</h2>
            <ul class="num mt-1 flex flex-wrap gap-x-4 gap-y-1">
              {others.map(each => (
                <FileLink key={each} to={`/proof?id=${each}`} text={each} />
              ))}
            </ul>
          </>
        )}
      </section>
    </div>
  )
}

const FileLink = ({ to, text }: { to: string; text: string }) => (
  <li>
    <a class={cx(linkClass, 'inline-block py-1')} href={to}>
      {text}
    </a>
  </li>
)

const Network = ({ id, name }: { id: string; name: string | undefined }) => (
  <>
    {name ?? id} {name !== undefined && name !== id && <span class="text-ink-3">({id})</span>}
  </>
)

function Asset({
  asset,
  network,
  statement,
  t,
}: {
  asset: ProvenAsset
  network: string | undefined
  statement: ProofStatement
  t: Words
}) {
  const { symbol, chain, owed, pending, held, difference } = asset
  const amount = (units: string) => formatUnits(units, asset)
  const reason = statement.chains.find(each => each.id === chain)?.reason || 'unsure'
  const missing = isShort(asset) ? readProofAmount(difference!.slice(1)) : null
  const mayHaveLeft = missing !== null && missing <= (readProofAmount(pending) ?? 0n)
  return (
    <section class={cx(cardClass, 'p-5 text-sm')}>
      <h2 class="font-semibold">
        {symbol}{' '}
        <span class="font-normal text-ink-2">
          · <Network id={chain} name={network} />
        </span>
      </h2>
      <dl class="mt-2 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
        <dt class="text-ink-3">{t.owed}</dt>
        <dd class="num text-right break-words">{amount(owed)}</dd>
        {pending !== '0' && (
          <>
            <dt class="text-ink-3">{t.pending}</dt>
            <dd class="num text-right break-words">{amount(pending)}</dd>
          </>
        )}
        <dt class="text-ink-3">{t.held}</dt>
        <dd class="num text-right break-words">
          {held === null ? `${t.notProven}: ${t.reasons[reason] ?? reason}` : amount(held)}
        </dd>
        {difference !== null && (
          <>
            <dt class="text-ink-3">{t.difference}</dt>
            <dd class={cx('num text-right break-words', isShort(asset) && 'font-medium text-bad')}>
              {difference === '0' ? t.equal : isShort(asset) ? t.less(amount(difference)) : t.more(amount(difference))}
            </dd>
          </>
        )}
      </dl>
      {mayHaveLeft && <p class="mt-2 text-ink-2">{t.mayHaveLeft}</p>}
    </section>
  )
}
