import { cx } from '../classes.ts'
import { idsByName } from './generated/chains.ts'

const files = import.meta.glob<string>('./images/*.svg', { eager: true, import: 'default', query: '?url' })

interface Props {
  /** In px; defaults to 20. */
  size?: number
  className?: string
}

/** The decorative logo beside a token's name; its first letter when there is none. */
export const TokenLogo = ({ token, ...rest }: Props & { token: string }) => (
  <Picture src={files[`./images/token-${token.toLowerCase()}.svg`]} name={token} {...rest} />
)

export const ChainLogo = ({ chain, ...rest }: Props & { chain: string }) => (
  <Picture src={files[`./images/chain-${idsByName[chain]}.svg`]} name={chain} {...rest} />
)

function Picture({ src, name, size = 20, className }: Props & { src: string | undefined; name: string }) {
  if (src)
    return (
      <img
        src={src}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        className={cx('shrink-0 rounded-full', className)}
      />
    )
  return (
    <span
      aria-hidden="true"
      style={{ width: size, height: size, fontSize: size * 0.5 }}
      className={cx(
        'inline-flex shrink-0 items-center justify-center rounded-full bg-sunken font-semibold text-ink-3',
        className,
      )}
    >
      {name.slice(0, 1).toUpperCase()}
    </span>
  )
}

/** A token's logo and name, with its chain if given. */
export const TokenName = ({ token, chain }: { token: string; chain?: string }) => (
  <span className="inline-flex items-center gap-x-2 align-middle whitespace-nowrap max-sm:flex-wrap">
    <TokenLogo token={token} />
    <span className="shrink-0">{token}</span>
    {chain && <span className="text-ink-3">{chain}</span>}
  </span>
)
