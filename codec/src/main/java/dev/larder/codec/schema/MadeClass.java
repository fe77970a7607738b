package dev.larder.codec.schema;

import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;

/**
 * An interface implemented by method handles.
 *
 * <pre>{@code
 * final class ... implements Face {
 *     void first(int a)  { HANDLE_0.invokeExact(a); }       each handle is a constant of the class,
 *     long second()      { return HANDLE_1.invokeExact(); }  so the compiler inlines it like a method
 * }
 * }</pre>
 *
 * <p>The class is hidden, and is unloaded after its last object. It has no state: the data of a handle is bound to the handle.
 */
public final class MadeClass {

    private static final DirectMethodHandleDesc CLASS_DATA_AT = ConstantDescs.ofConstantBootstrap(
            ConstantDescs.CD_MethodHandles, "classDataAt", CD_Object, ConstantDescs.CD_int);

    private MadeClass() {}

    /**
     * Returns an object of an interface, in the package of the lookup's class.
     *
     * @param handles the implementation of each method, which takes the method's arguments without the object
     * @throws IllegalAccessException if the lookup may not define classes, or cannot access the interface
     */
    public static <T> T implementing(Class<T> face, Map<Method, MethodHandle> handles, Lookup lookup)
            throws IllegalAccessException {
        List<Method> methods = List.copyOf(handles.keySet());
        List<MethodHandle> constants = handles.entrySet().stream()
                .map(entry -> entry.getValue().asType(typeOf(entry.getKey())))
                .toList();
        byte[] bytes = bytes(face, methods, lookup.lookupClass());
        return face.cast(construct(lookup.defineHiddenClassWithClassData(bytes, constants, true)));
    }

    private static Object construct(Lookup made) {
        try {
            return made.findConstructor(made.lookupClass(), MethodType.methodType(void.class))
                    .invoke();
        } catch (Throwable e) {
            throw new AssertionError(made.lookupClass().getName(), e);
        }
    }

    private static MethodType typeOf(Method method) {
        return MethodType.methodType(method.getReturnType(), method.getParameterTypes());
    }

    private static byte[] bytes(Class<?> face, List<Method> methods, Class<?> neighbour) {
        ClassDesc self = ClassDesc.of(neighbour.getPackageName(), face.getSimpleName() + "$Larder");
        return ClassFile.of().build(self, made -> {
            made.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC);
            made.withInterfaceSymbols(face.describeConstable().orElseThrow());
            made.withMethodBody(INIT_NAME, MTD_void, ClassFile.ACC_PUBLIC, MadeClass::construct);
            for (int index = 0; index < methods.size(); index++) {
                add(made, methods.get(index), index);
            }
        });
    }

    private static void construct(CodeBuilder code) {
        code.aload(0).invokespecial(CD_Object, INIT_NAME, MTD_void).return_();
    }

    private static void add(ClassBuilder made, Method method, int index) {
        MethodTypeDesc type = typeOf(method).describeConstable().orElseThrow();
        made.withMethodBody(method.getName(), type, ClassFile.ACC_PUBLIC, code -> {
            code.loadConstant(
                    DynamicConstantDesc.ofNamed(CLASS_DATA_AT, ConstantDescs.DEFAULT_NAME, CD_MethodHandle, index));
            for (int parameter = 0; parameter < type.parameterCount(); parameter++) {
                code.loadLocal(TypeKind.from(type.parameterType(parameter)), code.parameterSlot(parameter));
            }
            code.invokevirtual(CD_MethodHandle, "invokeExact", type).return_(TypeKind.from(type.returnType()));
        });
    }
}
