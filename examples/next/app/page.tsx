import { ConnectButton } from '@latchkey/react'

export default function Page() {
  return (
    <>
      <ConnectButton />
      <p>Served by Next.js</p>
    </>
  )
}
