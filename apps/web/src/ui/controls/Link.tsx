import { Link as RouterLink, useRouter } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { cx, linkClass } from '../classes.ts'

interface Props extends Omit<ComponentProps<'a'>, 'href'> {
  to: string
  search?: Record<string, string | number | undefined>
  /** False: the page's code is not fetched before the press. */
  preload?: false
  /** `button` classes or none: a card or row that is a link. */
  look?: 'text' | 'none'
}

/** A link inside the back-office. The page's code is fetched when it is pointed at. */
export const Link = ({ to, search, look = 'text', preload, className, ...rest }: Props) => (
  <RouterLink
    to={to}
    {...(search && { search: search as never })}
    {...(preload === false && { preload })}
    {...rest}
    className={cx(look === 'text' && linkClass, className)}
  />
)

/** Whether there is a page at a path: nobody is offered a way that leads nowhere. */
export const useHasPage = (path: string): boolean => path in useRouter().routesByPath

/** A link that leaves the back-office. */
export const OutsideLink = ({ className, ...rest }: ComponentProps<'a'>) => (
  <a {...rest} target="_blank" rel="noreferrer" className={cx(linkClass, className)} />
)
