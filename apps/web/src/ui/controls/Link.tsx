import { createLink, useRouter } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { useMayOpen } from '../../lib/refused.ts'
import { type ButtonLook, type ButtonSize, buttonClass, cx, linkClass } from '../classes.ts'

interface Props extends ComponentProps<'a'> {
  /** A button's look, or `none` for links styled otherwise: cards, rows. */
  look?: 'text' | 'none' | ButtonLook
  /** Of a button. */
  size?: ButtonSize
}

/**
 * A link within the back-office. Hovering preloads the page, unless `preload` is false. Where the role does not include
 * the page, the text alone, and no button.
 */
export const Link = createLink(({ look = 'text', size, className, ...rest }: Props) => {
  const may = useMayOpen()
  const path = rest.href?.replace(/^\/m(?=\/|$)|[?#].*/g, '') || '/'
  const isText = look === 'text' || look === 'none'
  if (!may(path)) return isText && <span className={className}>{rest.children}</span>
  return <a {...rest} className={cx(look === 'text' ? linkClass : !isText && buttonClass(look, size), className)} />
})

/** Whether a page exists at a path, and the role includes it, to hide links that lead nowhere. */
export function useHasPage(path: string): boolean {
  const may = useMayOpen()
  return path in useRouter().routesByPath && may(path)
}

/** A link that leaves the back-office. */
export const OutsideLink = ({ className, ...rest }: ComponentProps<'a'>) => (
  <a {...rest} target="_blank" rel="noreferrer" className={cx(linkClass, className)} />
)
