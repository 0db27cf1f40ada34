import { toEmptyAnswer } from '../../http/context.ts'
import { addAlertDevice, listAlertDevices, removeAlertDevice, testAlertDevice } from './alert-devices.ts'
import {
  addAlertHook,
  changeAlertHook,
  listAlertHooks,
  removeAlertHook,
  rotateAlertHookSecret,
  testAlertHook,
} from './alert-hooks.ts'
import { readAlertSettings, saveAlertSettings } from './alert-settings.ts'
import { defineConsoleHandlers } from './context.ts'

export const alertHandlers = defineConsoleHandlers({
  'GET /api/operator/v1/alerts': ({ deps, operator }) => readAlertSettings(deps.pool, operator.operatorId),
  'PUT /api/operator/v1/alerts': ({ deps, operator, body }) =>
    toEmptyAnswer(saveAlertSettings(deps, operator.operatorId, body)),

  'GET /api/operator/v1/alert-devices': ({ deps, operator }) => listAlertDevices(deps, operator),
  'POST /api/operator/v1/alert-devices': ({ deps, operator, body, ...from }) =>
    toEmptyAnswer(addAlertDevice(deps, operator, body, from)),
  'POST /api/operator/v1/alert-devices/:id/test': ({ deps, operator, params }) =>
    testAlertDevice(deps, operator, params.id),
  'DELETE /api/operator/v1/alert-devices/:id': ({ deps, operator, params }) =>
    toEmptyAnswer(removeAlertDevice(deps, operator, params.id)),

  'GET /api/operator/v1/alert-hooks': ({ deps }) => listAlertHooks(deps),
  'POST /api/operator/v1/alert-hooks': ({ deps, body }) => addAlertHook(deps, body),
  'PUT /api/operator/v1/alert-hooks/:id': ({ deps, params, body }) =>
    toEmptyAnswer(changeAlertHook(deps, { ...params, ...body })),
  'POST /api/operator/v1/alert-hooks/:id/renew': ({ deps, params }) => rotateAlertHookSecret(deps, params),
  'POST /api/operator/v1/alert-hooks/:id/test': ({ deps, params }) => testAlertHook(deps, params),
  'DELETE /api/operator/v1/alert-hooks/:id': ({ deps, params }) => toEmptyAnswer(removeAlertHook(deps, params)),
})
