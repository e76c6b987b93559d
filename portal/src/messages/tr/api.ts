import type { api as english } from '../en/api.ts';
import type { Translation } from '../message.ts';

export const api: Translation<keyof typeof english> = {
  'api.unreachable': 'Sunucuya ulaşılamıyor.',
  'api.status': 'Sunucu {status} durumuyla yanıt verdi.',
  'api.connectionLost': 'Bağlantı koptu. Dosyayı yeniden yükleyin.',
  'api.cancelled': 'Yükleme iptal edildi.',
  'api.failed': 'Bir sorun oluştu',
  'error.rate_limited': 'Çok fazla istek gönderildi. Biraz bekleyip yeniden deneyin.',
  'error.internal_error': 'Sunucuda bir hata oluştu. Yeniden deneyin. Hata sürerse platform yöneticinize başvurun.',
  'error.service_unavailable': 'Hizmet şu anda kullanılamıyor. Biraz sonra yeniden deneyin.',
  'error.forbidden': 'Bunun için yetkiniz yok: {detail}',
};
