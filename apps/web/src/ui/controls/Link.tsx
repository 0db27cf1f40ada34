import { createLink, useRouter } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { cx, linkClass } from '../classes.ts'

interface Props extends ComponentProps<'a'> {
  /** `button` classes or none: a card or row that is a link. */
  look?: 'text' | 'none'
}

/** A link inside the back-office. The page's code is fetched when it is pointed at, unless `preload` is false. */
export const Link = createLink(({ look = 'text', className, ...rest }: Props) => (
  <a {...rest} className={cx(look === 'text' && linkClass, className)} />
))

/** Whether there is a page at a path: nobody is offered a way that leads nowhere. */
export const useHasPage = (path: string): boolean => path in useRouter().routesByPath

/** A link that leaves the back-office. */
export const OutsideLink = ({ className, ...rest }: ComponentProps<'a'>) => (
  <a {...rest} target="_blank" rel="noreferrer" className={cx(linkClass, className)} />
)
