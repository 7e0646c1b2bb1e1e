import { useEffect, useRef, useState } from 'react'
import type { Config } from '../config.ts'
import type { WalletConnect } from './openWalletConnect.ts'
import { ProposalSheet } from './proposals/ProposalSheet.tsx'
import { SignIn } from './proposals/SignIn.tsx'
import { chooseItem, type Item, readQueue } from './readQueue.ts'
import { RequestSheet } from './requests/RequestSheet.tsx'
import { texts } from './texts.ts'

type Props = { walletConnect: WalletConnect; config: Config }

/** The requests that wait for the user, one at a time. */
export function Queue({ walletConnect, config }: Props) {
  const items = readQueue(walletConnect.wallet)
  const [shownId, setShownId] = useState<string>()
  const item = chooseItem(items, shownId)
  const section = useRef<HTMLElement>(null)
  const key = item?.key
  useEffect(() => {
    setShownId(key)
    // Does not interrupt a user who is typing; a screen reader announces it anyway.
    const isFree = !document.activeElement?.matches('input, select')
    if (key !== undefined && isFree)
      section.current?.querySelector<HTMLElement>('[data-testid=title]')?.focus()
  }, [key])
  if (!item) return null
  return (
    <section ref={section} className="asking" data-testid={item.kind}>
      {items.length > 1 && <p data-testid="waiting">{texts.getPending(items.length)}</p>}
      <One key={item.key} item={item} walletConnect={walletConnect} config={config} />
    </section>
  )
}

function One({ item, ...rest }: Props & { item: Item }) {
  switch (item.kind) {
    case 'proposal':
      return <ProposalSheet {...rest} proposal={item.proposal} />
    case 'sign-in':
      return <SignIn {...rest} request={item.request} />
    case 'request':
      return <RequestSheet {...rest} request={item.request} session={item.session} />
  }
}
