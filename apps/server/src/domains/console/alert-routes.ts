import { noData } from '../../http/context.ts'
import { addDevice, listDevices, removeDevice, testDevice } from './alert-devices.ts'
import { addHook, changeHook, listHooks, removeHook, renewHook, testHook } from './alert-hooks.ts'
import { readAlertSettings, saveAlertSettings } from './alert-settings.ts'
import { defineConsole } from './context.ts'

export const alertHandlers = defineConsole({
  'GET /api/operator/v1/alerts': ({ deps, operator }) => readAlertSettings(deps.pool, operator.operatorId),
  'PUT /api/operator/v1/alerts': ({ deps, operator, body }) =>
    noData(saveAlertSettings(deps.pool, operator.operatorId, body)),

  'GET /api/operator/v1/alert-devices': ({ deps, operator }) => listDevices(deps, operator),
  'POST /api/operator/v1/alert-devices': ({ deps, operator, body, ...from }) =>
    noData(addDevice(deps, operator, body, from)),
  'POST /api/operator/v1/alert-devices/:id/test': ({ deps, operator, params }) => testDevice(deps, operator, params.id),
  'DELETE /api/operator/v1/alert-devices/:id': ({ deps, operator, params }) =>
    noData(removeDevice(deps, operator, params.id)),

  'GET /api/operator/v1/alert-hooks': ({ deps }) => listHooks(deps),
  'POST /api/operator/v1/alert-hooks': ({ deps, body }) => addHook(deps, body),
  'PUT /api/operator/v1/alert-hooks/:id': ({ deps, params, body }) => noData(changeHook(deps, { ...params, ...body })),
  'POST /api/operator/v1/alert-hooks/:id/renew': ({ deps, params }) => renewHook(deps, params),
  'POST /api/operator/v1/alert-hooks/:id/test': ({ deps, params }) => testHook(deps, params),
  'DELETE /api/operator/v1/alert-hooks/:id': ({ deps, params }) => noData(removeHook(deps, params)),
})
