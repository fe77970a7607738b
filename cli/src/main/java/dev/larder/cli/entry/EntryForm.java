package dev.larder.cli.entry;

import dev.larder.memory.LarderException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys, or the values, of a map: which bytes its codec stores, as far as the codec's name tells, and how they are written.
 *
 * <pre>
 * codec           forms
 * text            text
 * int             int          and so long, double
 * record...       record
 * bytes           all
 * of a program    none         its bytes are known to the program alone
 *                 hex, base64  of every codec
 * </pre>
 *
 * @param what "key" or "value", for errors
 * @param codec its name
 * @param given the form that was asked for; AUTO where none was
 */
public record EntryForm(String what, String codec, ByteForm given, EntryText text) {

    private static final String BYTES = "bytes";
    private static final String RECORD = "record";
    private static final String OF_ONE_RECORD = RECORD + ":";
    private static final String OF_RECORDS = RECORD + "s:";

    /** A form that the codec has. */
    public EntryForm {
        if (given != ByteForm.AUTO && !allows(codec, given)) {
            throw new LarderException("the map's " + what + "s are of the codec " + codec + ", not " + name(given));
        }
    }

    private static String name(ByteForm form) {
        return form.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the form that a codec's values are written in; AUTO where it may be any, or is not known. */
    private static ByteForm formOf(String codec) {
        boolean typed = codec.equals(RECORD) || codec.startsWith(OF_ONE_RECORD) || codec.startsWith(OF_RECORDS);
        return typed
                ? ByteForm.RECORD
                : Arrays.stream(new ByteForm[] {ByteForm.TEXT, ByteForm.INT, ByteForm.LONG, ByteForm.DOUBLE})
                        .filter(form -> name(form).equals(codec))
                        .findFirst()
                        .orElse(ByteForm.AUTO);
    }

    private static boolean allows(String codec, ByteForm form) {
        return form == ByteForm.HEX || form == ByteForm.BASE64 || codec.equals(BYTES) || formOf(codec) == form;
    }

    private boolean isKnown() {
        return codec.equals(BYTES) || formOf(codec) != ByteForm.AUTO;
    }

    /** Returns whether what is put from the standard input are its bytes, as they are. */
    public boolean takesBytes() {
        return given == ByteForm.AUTO && (formOf(codec) == ByteForm.AUTO || formOf(codec) == ByteForm.TEXT);
    }

    /** Returns the bytes of what a person has written. */
    public byte[] parse(String written) {
        if (given == ByteForm.AUTO && !isKnown()) {
            throw new LarderException("the map's " + what + "s are of the codec " + codec
                    + ", which is not known here: give the bytes, with --" + what + "s hex or base64");
        }
        ByteForm form = given == ByteForm.AUTO ? formOf(codec) : given;
        return requireStorable(text.parse(what, written, form));
    }

    /** Throws where the codec does not store these bytes. */
    public byte[] requireStorable(byte[] bytes) {
        boolean stored = switch (formOf(codec)) {
            case TEXT -> JsonMessages.text(bytes) != null;
            case INT -> bytes.length == Integer.BYTES;
            case LONG, DOUBLE -> bytes.length == Long.BYTES;
            case RECORD -> text.isRecord(bytes, recordName());
            case AUTO, HEX, BASE64 -> true;
        };
        if (!stored) {
            throw new LarderException("the map's " + what + "s are of the codec " + codec + ", which stores no "
                    + bytes.length + " bytes as these: " + shortened(text.plain(what, bytes, ByteForm.AUTO)));
        }
        return bytes;
    }

    /** A codec of several records does not say which. */
    private @Nullable String recordName() {
        return codec.startsWith(OF_ONE_RECORD) ? codec.substring(OF_ONE_RECORD.length()) : null;
    }

    private static String shortened(String text) {
        int most = 60;
        return text.length() <= most ? text : text.substring(0, most) + "...";
    }

    /**
     * Throws where a JSON object names a form that the codec does not have.
     *
     * @param trusted whether it comes from a map of the same codec
     */
    public void requireForm(Map<?, ?> json, boolean trusted) {
        for (ByteForm form : new ByteForm[] {ByteForm.TEXT, ByteForm.INT, ByteForm.LONG, ByteForm.DOUBLE}) {
            boolean strange = json.get(name(form)) != null && !allows(codec, form);
            if (strange && (isKnown() || !trusted)) {
                throw new LarderException(
                        "the map's " + what + "s are of the codec " + codec + ", and here is a " + name(form));
            }
        }
    }

    private ByteForm shown() {
        ByteForm own = formOf(codec);
        boolean guessed = given != ByteForm.AUTO || own == ByteForm.TEXT || own == ByteForm.RECORD;
        return guessed ? given : own; // the guess finds text and records, and shows what is damaged, too
    }

    /** Returns bytes as a line of text has them. */
    public String plain(byte[] bytes) {
        return text.plain(what, bytes, shown());
    }

    /** Returns bytes as a JSON object. */
    public Map<String, @Nullable Object> json(byte[] bytes) {
        return text.json(what, bytes, shown());
    }

    /** As {@link #json}, also of what does not fit the form. */
    public Map<String, @Nullable Object> fittingJson(byte[] bytes) {
        return text.fittingJson(what, bytes, shown());
    }

    /** Returns whether bytes are shown as they are. */
    public boolean isShownAsIs(byte[] bytes) {
        return shown() == ByteForm.TEXT || (shown() == ByteForm.AUTO && !text.isTyped(bytes));
    }
}
