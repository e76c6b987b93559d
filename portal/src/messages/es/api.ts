import type { api as english } from '../en/api.ts';
import type { Translation } from '../message.ts';

export const api: Translation<keyof typeof english> = {
  'api.unreachable': 'No se puede conectar con el servidor.',
  'api.status': 'El servidor respondió con el estado {status}.',
  'api.connectionLost': 'Se perdió la conexión. Vuelve a subir el archivo.',
  'api.cancelled': 'Se canceló la subida.',
  'api.failed': 'Algo salió mal',
  'error.rate_limited': 'Demasiadas solicitudes. Espera un momento y vuelve a intentarlo.',
  'error.internal_error':
    'El servidor ha fallado. Vuelve a intentarlo. Si sigue fallando, contacta con el administrador de la plataforma.',
  'error.service_unavailable': 'El servicio no está disponible ahora. Vuelve a intentarlo en un momento.',
  'error.forbidden': 'No tienes permiso para hacer esto: {detail}',
};
