import { getTitle } from '../getTitle.ts'
import { text } from '../locales/text.ts'
import { PayTitle } from '../pay/PayTitle.tsx'
import { readReceiver } from '../pay/readReceiver.ts'
import { findViewPage } from './viewPages.ts'

/** The title of a page at its place, until the page itself has loaded. */
export function PagePlaceholder({ route }: { route: string }) {
  const loading = <p className="loading" role="status" aria-label={text('app.loading')} />
  const receiver = readReceiver(route)
  if (receiver)
    return (
      <div className="payer">
        <section className="card pay">
          <PayTitle {...receiver} />
          {loading}
        </section>
      </div>
    )
  const title = getTitle(route)
  if (title === undefined) return loading
  const heading = <h1>{title}</h1>
  const page = findViewPage(route)
  if (page || route === '/request')
    return (
      <div className="viewPage" data-form={page ? page.isForm : true}>
        {heading}
        {loading}
      </div>
    )
  if (route === '/contacts' || route === '/watch')
    return (
      <div className="narrow">
        <div className="pageHead">{heading}</div>
        {loading}
      </div>
    )
  if (route === '/developer')
    return (
      <>
        <header className="pageHead">{heading}</header>
        {loading}
      </>
    )
  return (
    <section className={route === '/status' ? 'card status' : 'card plain'}>
      {heading}
      {loading}
    </section>
  )
}
