import { useAccount } from '@latchkey/react'
import { Areas } from '../developer/Areas.tsx'
import { RawRequest } from '../developer/RawRequest.tsx'
import { SendNative, SendToken } from '../developer/SendForms.tsx'
import { SignMessage } from '../developer/SignMessage.tsx'
import { SignTypedData } from '../developer/SignTypedData.tsx'
import { StateView } from '../developer/StateView.tsx'
import { SwitchNetwork } from '../developer/SwitchNetwork.tsx'
import { text } from '../locales/text.ts'

/** Every call of the wallet with what it answers. */
export function Developer() {
  const { isConnected } = useAccount()
  return (
    <>
      <header className="pageHead">
        <h1>{text('dev.title')}</h1>
        <p className="quiet">{text(isConnected ? 'dev.text' : 'dev.connectFirst')}</p>
      </header>
      <div className="calls">
        {isConnected && (
          <div>
            <SignMessage />
            <SignTypedData />
            <SwitchNetwork />
          </div>
        )}
        {isConnected && (
          <div>
            <SendNative />
            <SendToken />
            <RawRequest />
          </div>
        )}
        <div>
          <Areas />
          <StateView />
        </div>
      </div>
    </>
  )
}
