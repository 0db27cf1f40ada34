import { Fragment } from 'react'

/** Texts below each other, without empty ones. */
export const stackLines = (...texts: string[]) =>
  texts.filter(Boolean).map((text, index) => (
    <Fragment key={text}>
      {index > 0 && <br />}
      {text}
    </Fragment>
  ))
