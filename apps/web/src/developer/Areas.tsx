import { getAreas } from '@latchkey/core'
import { useApp, useNetwork } from '@latchkey/react'
import { areas } from '@latchkey/wire'
import { useEffect, useEffectEvent, useId } from 'react'
import { text } from '../locales/text.ts'
import { useCall } from './useCall.ts'

/** The areas of the server for each network, with their source or why they are off; what is off is not offered anywhere. */
export function Areas() {
  const id = useId()
  const app = useApp()
  const { networks } = useNetwork()
  const { call, start } = useCall<ReturnType<Awaited<ReturnType<typeof getAreas>>>[]>('')
  const ask = () =>
    start(async () => networks.map(({ caipNetworkId }) => caipNetworkId).map(await getAreas(app)))
  const askFirst = useEffectEvent(ask)
  useEffect(() => void askFirst(), [])
  return (
    <section className="card call" aria-labelledby={id}>
      <h2 id={id}>{text('dev.areas')}</h2>
      <p className="quiet small">{text('dev.areasText')}</p>
      <div className="outcome" aria-live="polite">
        {call.status === 'failed' && (
          <>
            <p>{text('dev.areasFailed')}</p>
            <button type="button" className="button" onClick={ask}>
              {text('app.retry')}
            </button>
          </>
        )}
      </div>
      {call.status === 'done' &&
        networks.map(({ caipNetworkId, name }, index) => (
          <table key={caipNetworkId} className="areas">
            <caption>
              {name} <span className="code">{caipNetworkId}</span>
            </caption>
            <thead className="quiet">
              <tr>
                <th scope="col">{text('dev.areaName')}</th>
                <th scope="col">{text('dev.areaState')}</th>
                <th scope="col">{text('dev.areaSource')}</th>
              </tr>
            </thead>
            <tbody>
              {areas.map((area) => {
                const state = call.result[index]?.[area]
                return (
                  <tr key={area}>
                    <th scope="row">{text(`area.${area}`)}</th>
                    <td>{text(state?.on ? 'dev.areaOn' : 'dev.areaOff')}</td>
                    <td className="quiet">{state?.source || text('dev.areaUnknown')}</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        ))}
    </section>
  )
}
