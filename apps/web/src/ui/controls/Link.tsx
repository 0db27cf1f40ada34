import { createLink, useRouter } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { type ButtonLook, type ButtonSize, buttonClass, cx, linkClass } from '../classes.ts'

interface Props extends ComponentProps<'a'> {
  /** A button's look, or `none` for links styled otherwise: cards, rows. */
  look?: 'text' | 'none' | ButtonLook
  /** Of a button. */
  size?: ButtonSize
}

/** A link within the back-office. Hovering preloads the page, unless `preload` is false. */
export const Link = createLink(({ look = 'text', size, className, ...rest }: Props) => (
  <a {...rest} className={cx(look === 'text' ? linkClass : look !== 'none' && buttonClass(look, size), className)} />
))

/** Whether a page exists at a path, to hide links that lead nowhere. */
export const useHasPage = (path: string): boolean => path in useRouter().routesByPath

/** A link that leaves the back-office. */
export const OutsideLink = ({ className, ...rest }: ComponentProps<'a'>) => (
  <a {...rest} target="_blank" rel="noreferrer" className={cx(linkClass, className)} />
)
